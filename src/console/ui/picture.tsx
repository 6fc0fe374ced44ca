import { webUrl } from "../../core/validation/fields.ts";
import { useView } from "./view.tsx";

/** A picture of a product. Pictures of a path are served at PUBLIC_URL. */
export function ProductPicture({ picture }: { picture: string }) {
  const { publicUrl } = useView();
  const isPath = /^\/(?!\/)/.test(picture);
  const src = isPath ? publicUrl + picture : picture;
  if (!isPath && webUrl(src)?.protocol !== "https:") return null;
  return <img src={src} alt="" width={160} height={160} loading="lazy" />;
}
