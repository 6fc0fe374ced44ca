// The rules for URLs of endpoints, in workerd, whose URL parser is that of `fetch`.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalUrl, webhookUrlProblem } from "../../../src/features/webhooks/url.ts";
import { runs } from "../../support/runs.ts";

const DEPLOYED = { ENVIRONMENT: "production", PUBLIC_URL: "https://api.regalo.example" } as const;
const LOCAL = { ENVIRONMENT: "local", PUBLIC_URL: "http://localhost:8787" } as const;

const HOST_RULE =
  "must have a domain name with a dot as its host, such as example.com, and no IP address";
const DNS_RULE = "must have a host in the public DNS";
const OWN_RULE = "must not be a URL of this service";
const CHARACTER_RULE = "must not contain spaces, control characters or backslashes";
const INVALID = "must be a valid URL, such as https://example.com/webhooks";
const LENGTH_RULE = "must have at most 2000 characters";
const HTTPS_RULE = "must begin with https://";
const PORT_RULE = "must not contain a port other than 443";
const USER_RULE = "must not contain a user or a password";
const FRAGMENT_RULE = "must not contain a fragment";

/** The rule that each of the URLs breaks. */
const REJECTED: Record<string, string[]> = {
  [LENGTH_RULE]: [
    // Length, also after percent-encoding.
    ...[`https://example.com/${"a".repeat(1_981)}`, `https://example.com/${"é".repeat(400)}`],
  ],
  [INVALID]: [
    // Text that is not a URL.
    ...["", "example.com", "//example.com/", "https://", "https://exa%00mple.com/"],
    ...["https://exa<mple.com/", "https://example.com:65536/", "https://256.256.256.256/"],
    ...["https://1.2.3.4.5/", "https://example.0x7f/", "https://[::1/"],
    ...["https://[fe80::1%25eth0]/"],
  ],
  [CHARACTER_RULE]: [
    // Characters that the parser removes or replaces.
    ...[" https://example.com/", "https://example.com/ ", "https://local\thost.example.com/"],
    ...["https://exam\nple.com/", "ht\rtps://example.com/", "https:\\\\example.com\\"],
    ...["https://example.com\\@127.0.0.1/", "https://example.com/\u0000"],
    ...["https://example.com/\u00a0", "https://example.com/\u2028"],
    ...["https://example.com/\ufeff", "https://example.com/\ud800"],
  ],
  [HTTPS_RULE]: [
    // Other schemes.
    ...["http://example.com/", "ws://example.com/", "ftp://example.com/", "file:///etc/passwd"],
    ...["data:text/plain,a", "javascript:alert(1)", "blob:https://example.com/1"],
    // Loopback is for local environments only.
    ...["http://localhost:3000/", "http://127.0.0.1:3000/", "http://[::1]:3000/"],
  ],
  [PORT_RULE]: [
    // Ports, users and fragments.
    ...["https://example.com:8443/", "https://example.com:80/", "https://example.com:0/"],
    ...["https://localhost:3000/"],
  ],
  [USER_RULE]: [
    ...["https://user@example.com/", "https://user:pass@example.com/"],
    ...["https://:pass@example.com/", "https://example.com@127.0.0.1/"],
    ...["https://example.com%2f@127.0.0.1/"],
  ],
  [FRAGMENT_RULE]: [
    ...["https://example.com/#a", "https://example.com/#", "https://127.0.0.1/#@example.com/"],
  ],
  [HOST_RULE]: [
    // IPv4 in each notation.
    ...["https://127.0.0.1/", "https://8.8.8.8/", "https://169.254.169.254/latest/meta-data"],
    ...["https://127.0.0.1./", "https://127.1/", "https://2130706433/"],
    ...["https://017700000001/", "https://0x7f000001/", "https://0x7f.0.0.0x1/"],
    ...[
      ...[
        "https://0177.0.0.01/",
        "https://0/",
        "https://%31%32%37.0.0.1/",
        "https://１２７.０.０.１/",
      ],
    ],
    ...["https://①②⑦.0.0.1/", "https://127。0。0。1/"],
    // IPv6 in each notation.
    ...["https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/"],
    ...["https://[::ffff:7f00:1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[fd00::1]/"],
    ...["https://[64:ff9b::7f00:1]/", "https://[2606:4700::1111]/"],
    // Names without a dot, and names that end with one.
    ...["https://localhost/", "https://LOCALHOST/", "https://localhost./"],
    ...["https://%6c%6f%63%61%6c%68%6f%73%74/", "https://ｌｏｃａｌｈｏｓｔ/"],
    ...["https://local\u00adhost/", "https://ⓛocalhost/", "https://intranet/"],
    ...["https:localhost", "https:///localhost/", "https://example.com./"],
    ...["https://api.regalo.example./", "https://router.local./", "https://example.com../"],
    ...["https://.example.com/", "https://exa..mple.com/", "https://-a.example.com/"],
    ...["https://*.example.com/", `https://${"a".repeat(64)}.com/`],
    ...[`https://${"a.".repeat(130)}com/`],
  ],
  [DNS_RULE]: [
    // Domains that the public DNS does not have.
    ...["https://a.localhost/", "https://a.LocalHost/", "https://a.%6cocalhost/"],
    ...["https://a．localhost/", "https://a。local/", "https://printer.local/"],
    ...["https://localhost.localdomain/", "https://metadata.google.internal/"],
    ...["https://router.home.arpa/", "https://1.0.0.127.in-addr.arpa/", "https://nas.lan/"],
    ...["https://wiki.intranet/", "https://wiki.corp/", "https://nas.home/"],
    ...["https://db.private/", "https://abcdefgh.onion/", "https://a.test/"],
    ...["https://a.invalid/", "https://a.alt/"],
  ],
  [OWN_RULE]: [
    // This service.
    ...["https://api.regalo.example/api/order", "https://API.regalo.example/"],
    ...["https://api.regalo.example:443/", "https://api%2eregalo.example/"],
    ...["https://x.api.regalo.example/"],
  ],
};
const rejected = Object.entries(REJECTED).flatMap(([rule, urls]) =>
  urls.map((url) => [url, rule] as const),
);

// A URL of parts that are often used in evasions.
const pieces = [
  ...["localhost", "127.0.0.1", "0x7f", "2130706433", "[::1]", "local", "example", "com", "a"],
  ...[".", "。", "%2e", "@", ":", "/", "\\", "#", "?", "\t", "%00", "443"],
  ...["８", "ｌ", "ß", "\u200d"],
];
const addresses = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => `https://${all.join("")}`),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .string({ unit: fc.nat(0xd7ff).map((code) => String.fromCharCode(code)) })
    .map((host) => `https://${host}.com/`),
);

describe("in a deployed environment", () => {
  test.each([
    "https://example.com",
    "https://example.com/webhooks?key=a%20b&c",
    "https://hooks.partner-1.co.uk/",
    "https://a_b.example.com/",
    "https://example.com:443/",
    "HTTPS://EXAMPLE.COM/Path",
    "https://xn--mnchen-3ya.de/",
    "https://münchen.de/wähle",
    "https://ｅｘａｍｐｌｅ.com/",
    "https://receiver.partner.workers.dev/",
    "https://notregalo.example/",
    "https://api.regalo.example.com/",
    "https://localhost.com/",
    "https://mylocal.net/",
    "https://1.1.1.1.nip.io/",
    "https://127.0.0.1.nip.io/",
    "https://example.com//@/",
    `https://example.com/${"a".repeat(1_980)}`,
  ])("accepts %s", (url) => {
    expect(webhookUrlProblem(url, DEPLOYED)).toBeNull();
  });

  test.each(rejected)("rejects %j: it %s", (url, rule) => {
    expect(webhookUrlProblem(url, DEPLOYED)).toBe(rule);
    expect(webhookUrlProblem(url, { ...DEPLOYED, ENVIRONMENT: "sandbox" })).toBe(rule);
  });

  test("accepts only URLs that fetch sends by HTTPS to a domain name on port 443", () => {
    fc.assert(
      fc.property(addresses, (address) => {
        if (webhookUrlProblem(address, DEPLOYED) !== null) return;
        const { url } = new Request(address);
        const { protocol, hostname, port, username, password, hash } = new URL(url);
        expect([protocol, port, username, password, hash]).toEqual(["https:", "", "", "", ""]);
        expect(hostname).toMatch(/^[a-z0-9_.-]+\.[a-z][a-z0-9-]*[a-z0-9]$/);
        expect(hostname).not.toMatch(/(^|\.)(localhost|local|internal)$/);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("accepts the stored form of each URL that it accepts, and stores it unchanged", () => {
    fc.assert(
      fc.property(addresses, (address) => {
        if (webhookUrlProblem(address, DEPLOYED) !== null) return;
        const stored = normalUrl(address);
        expect(webhookUrlProblem(stored, DEPLOYED)).toBeNull();
        expect(normalUrl(stored)).toBe(stored);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe("in the local environment", () => {
  test.each([
    ...["http://localhost/", "http://localhost:3000/webhooks", "https://localhost:3443/"],
    ...["http://127.0.0.1:3000/", "http://[::1]:3000/", "https://example.com/"],
  ])("accepts %s", (url) => {
    expect(webhookUrlProblem(url, LOCAL)).toBeNull();
  });

  test.each([
    ["http://localhost:8787/api/order", OWN_RULE],
    ["http://localhost.:3000/", HTTPS_RULE],
    ["http://a.localhost:3000/", HTTPS_RULE],
    ["http://0.0.0.0:3000/", HTTPS_RULE],
    ["http://127.0.0.2:3000/", HTTPS_RULE],
    ["http://192.168.0.1/", HTTPS_RULE],
    ["https://192.168.0.1/", HOST_RULE],
    ["http://example.com/", HTTPS_RULE],
    ["https://example.com:8443/", PORT_RULE],
    ["ws://localhost:3000/", HTTPS_RULE],
    ["http://user@localhost:3000/", USER_RULE],
    ["http://localhost:3000/#a", FRAGMENT_RULE],
    ["http://localhost:3000\\", CHARACTER_RULE],
  ])("rejects %j", (url, rule) => {
    expect(webhookUrlProblem(url, LOCAL)).toBe(rule);
  });
});
