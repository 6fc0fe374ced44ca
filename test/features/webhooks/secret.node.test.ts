// Secrets and signatures, verified with the library of Standard Webhooks.
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
  activeSecrets,
  newNonce,
  signatureHeaders,
  webhookSecret,
} from "../../../src/features/webhooks/secret.ts";
import { runs } from "../../support/runs.ts";

const MASTER = "a master secret of the tests, 32+ characters";

describe("the secret of an endpoint", () => {
  test("is always the same for an endpoint and a nonce, since receivers keep it", async () => {
    // Computed with Python's hmac.
    expect(await webhookSecret(MASTER, 42, "00112233445566778899aabbccddeeff")).toBe(
      "whsec_6Z5+no6S9eYfhqAqeZ4cBB/f+k9dGVo58uXd3A0eQhg=",
    );
  });

  test("differs by master secret, endpoint and nonce", async () => {
    const nonce = newNonce();
    const secrets = await Promise.all([
      webhookSecret(MASTER, 1, nonce),
      webhookSecret(`${MASTER}!`, 1, nonce),
      webhookSecret(MASTER, 2, nonce),
      webhookSecret(MASTER, 1, newNonce()),
      webhookSecret(MASTER, 11, nonce.slice(1)),
    ]);
    expect(new Set(secrets).size).toBe(5);
  });
});

const row = { id: 3, secretNonce: "b", previousSecretNonce: "a", previousSecretUntilMs: 1_000 };
const secretOf = (nonce: string) => webhookSecret(MASTER, 3, nonce);

test("the secrets that sign a delivery are two until the previous one has ended", async () => {
  const both = [await secretOf("b"), await secretOf("a")];
  expect(await activeSecrets(MASTER, row, 999)).toEqual(both);
  expect(await activeSecrets(MASTER, row, 1_000)).toEqual(both.slice(0, 1));
  const never = { ...row, previousSecretNonce: null, previousSecretUntilMs: null };
  expect(await activeSecrets(MASTER, never, 0)).toEqual(both.slice(0, 1));
});

const CHARACTER = fc.nat(0xd7ff).map((code) => String.fromCharCode(code));

describe("the headers of a delivery", () => {
  const seconds = () => Math.floor(Date.now() / 1000);

  test("are valid for each secret, and for any body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: CHARACTER }), fc.json(), async (text, json) => {
        const secrets = await Promise.all(
          [newNonce(), newNonce()].map((nonce) => webhookSecret(MASTER, 7, nonce)),
        );
        for (const body of [JSON.stringify({ text }), json]) {
          const headers = await signatureHeaders(secrets, "evt_7_1", seconds(), body);
          for (const secret of secrets) {
            expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
          }
        }
      }),
      { numRuns: runs(50) },
    );
  });

  test("have the names and the format of the specification", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const headers = await signatureHeaders(
      [secret],
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      1614265330,
      '{"test": 2432232314}',
    );
    // The example of the specification's libraries.
    expect(headers).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });
});
