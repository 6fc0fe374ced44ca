// The digest of an address, with which a complaint is stored. It has no key, because a new key would lose complaints.
import { sha256Hex } from "../../core/values/digest.ts";
import { asciiEmail, normalEmail } from "../../core/values/email-address.ts";

/**
 * Neither case nor the form of an international domain matters. In the sandbox, a complaint concerns only the e-mails of
 * the client that has simulated it. A client id contains no line break, so two different pairs never have the same text.
 */
export const addressDigest = (address: string, sandboxClient = "") =>
  sha256Hex(
    `${sandboxClient}\n${(asciiEmail(normalEmail(address)) ?? address.trim()).toLowerCase()}`,
  );
