// `client`, `credential` and `credit`.
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { kvKey } from "../../../src/platform/cache/tiered.ts";
import { CLIENT_KEY_PREFIX } from "../../../src/features/clients/cache.ts";
import { NODE, OPS, run } from "../../servers/command.ts";
import { json, refusal, runOps } from "../ops.ts";
import { platform, publishSeed, usePlatform } from "../platform.ts";

const { folder, state } = usePlatform();

const BRANDING = {
  logo: "/a.svg",
  claimLogo: "/b.svg",
  primaryColor: "#112233",
  secondaryColor: "#445566",
};

/** A new file with this content. */
function brandingFile(content: unknown): string {
  const file = path.join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

beforeAll(() => publishSeed());

describe("client", () => {
  test("add, credentials, credit and suspension work together", async () => {
    const adding = 'client add acme --name "Acme Ltd" --billing credit --currency AUD --fee 2.75';
    expect(await json(adding)).toMatchObject({
      id: "acme",
      feeBasisPoints: 275,
      catalogue: "main",
    });
    await Promise.all([
      refusal(1, "client acme already exists", adding),
      refusal(1, "there is no catalogue none", "client set acme --catalogue none"),
      refusal(1, "there is no client globex", "credential", "issue", "globex"),
    ]);

    const first = await json<{ id: number; apiKey: string }>("credential", "issue", "acme");
    expect(first.apiKey).toMatch(/^regalo_local_key_[\w-]{43}$/);
    await json("credential issue acme --scope read");
    for (let set = 3; set <= 5; set++) await json("credential issue acme");
    await refusal(1, "5 active sets", "credential", "issue", "acme");
    await json("credential", "revoke", "acme", String(first.id));
    const sets =
      await json<{ scope: string; revokedAtMs: number | null }[]>("credential list acme");
    expect(sets.slice(0, 2).map(({ scope, revokedAtMs }) => [scope, revokedAtMs === null])).toEqual(
      [
        ["admin", false],
        ["read", true],
      ],
    );
    expect(JSON.stringify(sets)).not.toContain(first.apiKey);

    const booking = ["credit", "add", "acme", "500.00", "--reference", "INV-1"];
    expect(await json(...booking)).toMatchObject({ booked: true, balanceMinor: 50_000 });
    expect(await json(...booking)).toMatchObject({ booked: false, balanceMinor: 50_000 });
    // Spaces around a reference are ignored; a similar reference is booked with a warning.
    expect(await json("credit add acme 500.00 --reference", " INV-1\u00a0")).toMatchObject({
      reference: "INV-1",
      booked: false,
    });
    const similar = await runOps('--json credit add acme 1.00 --reference "inv 1"');
    expect(similar.err).toContain("acme has a booking with the similar reference INV-1.");
    expect(JSON.parse(similar.out)).toMatchObject({ booked: true, similarReferences: ["INV-1"] });
    await Promise.all([
      refusal(1, "already booked with another amount", "credit add acme 7.00 --reference INV-1"),
      refusal(1, "is too low", "credit add acme -600.00 --reference X"),
      refusal(1, "would exceed the maximum", "credit add acme 9999999999999 --reference X"),
    ]);
    const alert = ["credit", "alert", "acme", "--currency", "AUD"];
    expect((await runOps(...alert, "--below", "500")).out).toContain("below A$500.00");
    expect((await runOps("credit", "show", "acme")).out).toMatch(/ALERT BELOW\n.* A\$500\.00$/m);
    expect(await json(...alert, "--off")).toMatchObject({ alertBelowMinor: null });
    expect(await json("credit", "show", "acme")).toMatchObject([{ alertBelowMinor: null }]);
    await Promise.all([
      refusal(1, "no account in USD", "credit alert acme --currency USD --off"),
      refusal(1, "there is no client globex", "credit alert globex --off"),
    ]);
    expect(await json("credit", "ledger", "acme")).toMatchObject([
      { amountMinor: 100, reference: "inv 1" },
      { amountMinor: 50_000, reference: "INV-1" },
    ]);

    const changed = await json("client set acme --branding", brandingFile(BRANDING));
    expect(changed).toMatchObject({ name: "Acme Ltd", branding: { primaryColor: "#112233" } });
    expect(changed).toMatchObject({ redeemWithinDays: null });
    const days = ["client", "set", "acme", "--redeem-within-days"];
    expect(await json(...days, "90")).toMatchObject({ redeemWithinDays: 90 });
    expect((await runOps("client", "show", "acme")).out).toMatch(/redeem within days +90/);
    expect(await json(...days, "none")).toMatchObject({ redeemWithinDays: null });
    expect(changed).toMatchObject({ refundDeclined: true, supportEmail: null });
    const help = ["client", "set", "acme", "--refund-declined", "no", "--support-email"];
    expect(await json(...help, "help@acme.example")).toMatchObject({
      refundDeclined: false,
      supportEmail: "help@acme.example",
    });
    expect((await runOps("client", "show", "acme")).out).toMatch(
      /refund declined +no\nsupport email +help@acme\.example/,
    );
    expect(await json(...help, "none")).toMatchObject({ supportEmail: null });
    expect(await json("client set acme --refund-declined yes")).toMatchObject({
      refundDeclined: true,
    });
    expect(await json("client", "suspend", "acme")).toMatchObject({ status: "suspended" });
    const { out } = await runOps("client", "resume", "acme");
    expect(out).toMatch(/name +Acme Ltd\nstatus +active/);
  });
});

test("the settings of e-mails can be set and shown, and the sender's name is no address", async () => {
  const adding = "client add mailing --billing invoice --currency AUD";
  await Promise.all([
    refusal(2, "name must be a name, not a web or e-mail address", adding, "--name", "Win at x.io"),
    refusal(2, "name must be one line of text", adding, "--name", "Mailing\nLtd"),
    refusal(2, "must be a number of days, or none: 0", `${adding} --name M --reminder-days 0`),
  ]);
  const initial = await json(`${adding} --name M --notify-shipped on`);
  expect(initial).toMatchObject({ reminderDays: 7, notifyShipped: true, wrapEmails: false });
  const setting = "client set mailing";
  await refusal(2, "name must be a name", `${setting} --name https://mailing.example`);
  await refusal(2, "reminderDays must be", `${setting} --reminder-days 91`);
  await refusal(2, "replyTo must be", `${setting} --reply-to nobody`);
  const words = "--reminder-days none --notify-shipped off --wrap-emails on --reply-to a@m.example";
  expect(await json(`${setting} ${words}`)).toMatchObject({
    reminderDays: null,
    notifyShipped: false,
    wrapEmails: true,
    replyTo: "a@m.example",
  });
  expect((await runOps("client show mailing")).out).toMatch(
    /reminder days +-\nnotify shipped +off\nwrap emails +on\nreply to +a@m\.example\nregister +default/,
  );
  expect(await json(`${setting} --reply-to none --reminder-days 3`)).toMatchObject({
    reminderDays: 3,
    replyTo: null,
  });
  await refusal(2, "--register", `${setting} --register polite`);
  expect(await json(`${setting} --register informal`)).toMatchObject({ register: "informal" });
  expect(await json(`${setting} --register default`)).toMatchObject({ register: null });
});

describe("a branding file", () => {
  const setting = "client set branded --branding";
  const set = (content: unknown) =>
    json<{ branding: Record<string, string> }>(setting, brandingFile(content));

  beforeAll(() => json("client add branded --name Branded --billing invoice --currency AUD"));

  test("changes the fields that it has, and null removes a field", async () => {
    const more = { logoDark: "https://a.example/d.svg", cover: "/c.jpg", preview: "/p.png" };
    const looks = { accentColor: "#0b5fff", pattern: "off", typeface: "serif" };
    const all = { ...BRANDING, ...more, ...looks };
    expect((await set(all)).branding).toEqual(all);
    const { cover, ...rest } = all;
    expect(cover).toBe("/c.jpg");
    expect(
      (await set({ cover: null, pattern: "on", backgroundColor: "#f2f6ff" })).branding,
    ).toEqual({ ...rest, pattern: "on", backgroundColor: "#f2f6ff" });
    const shown = (await runOps("client show branded")).out;
    expect(shown).toMatch(/logo dark +https:\/\/a\.example\/d\.svg\n.*\ncover +-\n/);
    expect(shown).toMatch(/pattern +on\ntypeface +serif/);
    const [entry] = await json<{ action: string; changes: unknown }[]>(
      "audit list --client branded",
    );
    expect(JSON.stringify(entry)).toContain("#f2f6ff");
    expect(await json("client set branded --no-branding")).toMatchObject({ branding: null });
  });

  test("is refused with the names of its invalid fields", async () => {
    const refused = (text: string, content: unknown) =>
      refusal(1, text, setting, brandingFile(content));
    await Promise.all([
      refused("branding.primaryColor is required", { logo: "/a.svg", claimLogo: "/b.svg" }),
      refused("branding.logo is required", { ...BRANDING, logo: null }),
      refused("branding.colour is not a field of a branding", { ...BRANDING, colour: "#112233" }),
      refused("branding.accentColor must be a colour", { ...BRANDING, accentColor: "red;}" }),
      refused("branding.cover must be an https URL", { ...BRANDING, cover: "http://a.example/b" }),
      refused("is not a JSON object", [BRANDING]),
      refused("is not a JSON object", "null"),
      refused("is not valid JSON", "{"),
      refusal(1, "cannot be read (ENOENT)", setting, "none.json"),
    ]);
    const adding = "client add unbranded --name U --billing invoice --currency AUD --branding";
    await refusal(1, "branding.logo is required", adding, brandingFile({ pattern: "off" }));
    expect(await json("client show branded")).toMatchObject({ branding: null });
  });
});

describe("client preview", () => {
  const preview = async (...words: string[]) => {
    const { code, out, err } = await runOps("client preview", ...words);
    expect(code, err).toBe(0);
    return out;
  };

  beforeAll(async () => {
    const adding = "client add seen --name Seen&Co --billing invoice --currency AUD --branding";
    await json(adding, brandingFile({ ...BRANDING, logo: "https://seen.example/logo.png" }));
  });

  test("writes the gift page with the client's branding, complete as a file", async () => {
    // A process of its own, which compiles JSX.
    const words = [OPS, "--persist-to", state, "client", "preview", "seen"];
    const { code, out: html, err } = await run(NODE, words);
    expect([code, err]).toEqual([0, ""]);
    for (const part of ["Seen&amp;Co", "--brand:#112233", "https://seen.example/logo.png"]) {
      expect(html).toContain(part);
    }
    expect(html).toContain(".greeting");
    expect(html).toContain('src="data:image/svg+xml;base64,');
    expect(html).not.toMatch(/<link rel="stylesheet"|<script|cdn-cgi/);
  });

  test("shows a branding before it is set, other pages and languages", async () => {
    const file = brandingFile({ primaryColor: "#0b5fff", cover: "/images/brand/preview.png" });
    const html = await preview("seen", "--branding", file, "--language", "de");
    expect(html).toContain('<html lang="de"');
    expect(html).toContain("--brand:#0b5fff");
    expect(html).toContain('<img class="cover" src="data:image/png;base64,');
    const accepted = await preview("seen", "--branding", file, "--page", "accepted");
    expect(accepted).not.toContain('class="cover"');
    expect(accepted).toContain('class="accepted"');
    expect(await preview("seen", "--page", "expired")).toContain('class="panel message"');
    expect(await json("client show seen")).toMatchObject({ branding: { primaryColor: "#112233" } });
  });

  test("refuses other clients, pages and files", async () => {
    await refusal(1, "there is no client none", "client preview none");
    await refusal(2, "Allowed choices are gift", "client preview seen --page confetti");
    const file = brandingFile({ pattern: 1 });
    await refusal(1, "branding.pattern must be", "client preview seen --branding", file);
  });
});

test("a change deletes the client's cached record", async () => {
  await json("client add cached --name C --billing invoice --currency AUD");
  const { KV } = platform.env;
  const key = kvKey(platform.env, `${CLIENT_KEY_PREFIX}cached`);
  await KV.put(key, "{}");
  await json("client", "suspend", "cached");
  expect([key, await KV.get(key)]).toEqual(["local:client:5:cached", null]);
});

describe("a KV namespace that cannot be reached", () => {
  test("does not prevent the output of new credentials, and undoes no change", async () => {
    await json("client add uncached --name U --billing invoice --currency AUD");
    // The first change of a client's credentials creates the namespace's database.
    await json("credential", "issue", "uncached");

    const broken = path.join(folder, "broken");
    for (const part of ["d1", "kv"]) {
      cpSync(path.join(state, "v3", part), path.join(broken, "v3", part), { recursive: true });
    }
    const kv = path.join(broken, "v3/kv/miniflare-KVNamespaceObject");
    // The namespace's database and its journal. The runtime's own database must stay, or it does not start.
    for (const file of readdirSync(kv).filter((name) => !name.startsWith("metadata"))) {
      rmSync(path.join(kv, file));
      if (file.endsWith(".sqlite")) writeFileSync(path.join(kv, file), "not a database");
    }

    const local = ["--json", "--persist-to", broken, "credential"];
    const issued = await runOps(...local, "issue", "uncached");
    expect(issued.err).toContain("KV cannot be reached");
    expect(issued.code).toBe(0);
    const { id, apiKey } = JSON.parse(issued.out) as { id: number; apiKey: string };
    expect(apiKey).toMatch(/^regalo_local_key_/);
    const revoked = await runOps(...local, "revoke", "uncached", String(id));
    expect([revoked.code, JSON.parse(revoked.out)]).toMatchObject([0, { id, revoked: true }]);
  });
});
