/** The bundle of the Worker that is deployed in production, from the root of the project. */
export const PREVIOUS_RELEASE = "test/previous-release/worker.js.gz";
