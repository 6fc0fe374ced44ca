// The calls of the simulated API for KV namespaces.
import { randomUUID } from "node:crypto";
import { ApiRefusal } from "./account.ts";
import { type Call, found, type RawResponse, type Routes } from "./call.ts";

const NAMESPACES = "/storage/kv/namespaces";
const VALUE = `${NAMESPACES}/:namespace/values/:key`;

export const KV_ROUTES: Routes = {
  [`GET ${NAMESPACES}`]: ({ account }) => account.namespaces,
  [`POST ${NAMESPACES}`]: ({ account, json }) => {
    const { title } = json();
    if (account.namespaces.some((each) => each.title === title)) {
      throw new ApiRefusal(400, 10014, "a namespace with this account ID and title already exists");
    }
    const namespace = { id: randomUUID().replaceAll("-", ""), title };
    account.namespaces.push(namespace);
    return namespace;
  },
  [`GET ${NAMESPACES}/:namespace/keys`]: async (call) => {
    const prefix = call.query.get("prefix") ?? "";
    const { keys } = await (await namespaceOf(call)).list({ prefix });
    return keys;
  },
  [`GET ${VALUE}`]: async (call): Promise<RawResponse> => {
    const value = await (await namespaceOf(call)).get(keyOf(call), "arrayBuffer");
    return { raw: Buffer.from(found(value ?? undefined, 10009, "get: 'key not found'")) };
  },
  [`PUT ${VALUE}`]: async (call) => {
    const ttl = call.query.get("expiration_ttl");
    const options = ttl === null ? {} : { expirationTtl: Number(ttl) };
    await (await namespaceOf(call)).put(keyOf(call), call.body.toString(), options);
    return {};
  },
  [`DELETE ${VALUE}`]: async (call) => {
    await (await namespaceOf(call)).delete(keyOf(call));
    return {};
  },
};

const keyOf = ({ params }: Call) => decodeURIComponent(String(params["key"]));

function namespaceOf({ account, params, runtime }: Call): Promise<KVNamespace> {
  const namespace = account.namespaces.find(({ id }) => id === params["namespace"]);
  return runtime.namespace(found(namespace, 10013, "namespace not found").id);
}
