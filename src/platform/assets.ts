// The JSON files of the folder `public`, which are not part of the Worker's bundle.
import type { AddressFormats, AddressRules } from "../core/address/rules.ts";

/** A JSON file of `public`. Throws if it cannot be read. */
export async function loadAsset<Content>(assets: Fetcher, name: string): Promise<Content> {
  // The host of the URL is ignored.
  const response = await assets.fetch(`https://assets/${name}.json`);
  if (!response.ok) throw new Error(`${name}.json: status ${String(response.status)}`);
  return response.json<Content>();
}

/** The rules that this isolate has loaded. They change only with a deployment. */
let loaded: AddressRules | undefined;

/** The rules of addresses. Throws if a file cannot be read. */
export async function loadAddressRules(assets: Fetcher): Promise<AddressRules> {
  if (loaded) return loaded;
  const [formats, countries] = await Promise.all([
    loadAsset<AddressFormats>(assets, "address-formats"),
    loadAsset<AddressRules["countries"]>(assets, "addresses"),
  ]);
  return (loaded = { formats, countries });
}
