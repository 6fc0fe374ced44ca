// Valid inputs of operations, for the tests of what all operations have in common.

/** Creates what an operation needs, and returns an input whose plan changes something. */
export type Sample = () => Promise<Readonly<Record<string, unknown>>>;

/** By the names of the operations. */
export type Samples = Readonly<Record<string, Sample>>;
