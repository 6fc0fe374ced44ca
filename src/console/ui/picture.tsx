import { webUrl } from "../../core/validation/fields.ts";
import { useView } from "./view.tsx";

/** A picture of a product. Pictures of a path are served at PUBLIC_URL. */
export function ProductPicture({ picture, name }: { picture: string | null; name: string | null }) {
  const { publicUrl } = useView();
  const isPath = picture !== null && /^\/(?!\/)/.test(picture);
  const src = isPath ? publicUrl + picture : picture;
  if (src === null || !(isPath || webUrl(src)?.protocol === "https:")) return null;
  return <img src={src} alt={name ?? ""} width={160} height={160} loading="lazy" />;
}
