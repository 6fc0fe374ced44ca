// The network of a caller's address.

/**
 * An IPv4 address, or the /64 network of an IPv6 address, because a subscriber usually has a whole /64.
 * IPv4-mapped IPv6 addresses count as IPv4. Other text is returned unchanged.
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
  // The URL parser normalises the notation of the address.
  const host = URL.parse(`http://[${address}]`)?.hostname;
  if (!host?.startsWith("[")) return undefined;
  const [before = [], after] = host
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  if (!after) return before;
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}
