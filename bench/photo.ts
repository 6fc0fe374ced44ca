// A photo for the benchmarks, and its transformations.
import sharp from "sharp";

const SIZE = 2_400;
const CHANNELS = 3;
const GREY = 128;
/** The widths of the layers of noise. */
const OCTAVES = [9, 19, 38, 75, 150, 300, 600, 1_200, 2_400];
/** Finer layers have less contrast, so that the file shrinks with its width and quality as those of photos do. */
const contrastOf = (octave: number) => 24 * 0.8 ** octave;

/** A square JPEG of at most `maxBytes`, which is close to that size. */
export async function makePhoto(maxBytes: number): Promise<Uint8Array> {
  const pixels = new Int16Array(SIZE * SIZE * CHANNELS).fill(GREY);
  for (const [octave, width] of OCTAVES.entries()) {
    const layer = await noise(width, contrastOf(octave));
    pixels.forEach((value, i) => {
      pixels[i] = value + (layer[i] ?? GREY) - GREY;
    });
  }
  const image = sharp(Uint8ClampedArray.from(pixels), {
    raw: { width: SIZE, height: SIZE, channels: CHANNELS },
  });
  for (let quality = 95; quality > 0; quality--) {
    const jpeg = await image.clone().jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
  }
  throw new Error(`a photo of ${String(maxBytes)} bytes is too small`);
}

/** Random pixels of `width` × `width`, enlarged to the photo's size. */
async function noise(width: number, sigma: number): Promise<Uint8Array> {
  const small = await sharp({
    create: {
      ...{ width, height: width, channels: CHANNELS, background: "#808080" },
      noise: { type: "gaussian", mean: GREY, sigma },
    },
  })
    .png()
    .toBuffer();
  return sharp(small).resize(SIZE, SIZE, { kernel: "cubic" }).raw().toBuffer();
}

/**
 * The photo with the options of a URL of Cloudflare's image transformations, such as `width=640,format=auto`. A photo is
 * never enlarged. `format=auto` is AVIF or WebP if the browser accepts it. Errors: an option that is not known.
 */
export async function transformPhoto(
  photo: Uint8Array,
  options: string,
  accept: string,
): Promise<{ type: string; bytes: Uint8Array }> {
  const { width, quality, format = "jpeg", ...others } = readOptions(options);
  const unknown = Object.keys(others).filter((name) => !IGNORED_OPTIONS.includes(name));
  if (unknown.length > 0) throw new Error(`unknown options: ${unknown.join(", ")}`);
  const type = format === "auto" ? AUTO_FORMATS.find((name) => accept.includes(name)) : format;
  const image = sharp(photo).resize({ width: Number(width), withoutEnlargement: true });
  const bytes = await image
    .toFormat((type ?? "jpeg") as "avif" | "webp" | "jpeg", {
      ...(quality && { quality: Number(quality) }),
    })
    .toBuffer();
  return { type: `image/${type ?? "jpeg"}`, bytes };
}

const AUTO_FORMATS = ["avif", "webp"];
/** Options without an effect on a square photo that is not animated. */
const IGNORED_OPTIONS = ["fit", "height", "gravity", "onerror", "metadata", "anim"];

function readOptions(options: string): Record<string, string> {
  const pairs = options.split(",").map((option): [string, string] => {
    const [name = "", value = ""] = option.split("=");
    return [name, value];
  });
  return Object.fromEntries(pairs);
}
