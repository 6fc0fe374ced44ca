// orval takes the address of the API when it generates.
export default {
  regalo: {
    input: "../../public/openapi.json",
    output: {
      target: "generated/orval.ts",
      client: "fetch",
      baseUrl: process.env.REGALO_URL,
    },
  },
};
