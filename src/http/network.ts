// The network that a caller's address belongs to.

/**
 * What one subscriber is given: an IPv4 address, or the /64 of an IPv6 address, within which a subscriber may choose
 * any. IPv4-mapped IPv6 addresses are IPv4 addresses. Text that is no address is returned as it is.
 */
export function networkOf(address: string): string {
  const groups = ipv6Groups(address);
  if (!groups) return address;
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff")
    return `${groups.slice(0, 4).join(":")}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
    .join(".");
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function ipv6Groups(address: string): string[] | undefined {
  // The parser of URLs brings every spelling of an address into one form.
  const host = URL.parse(`http://[${address}]`)?.hostname;
  if (!host?.startsWith("[")) return undefined;
  const [before = [], after] = host
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  if (!after) return before;
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}
