// Deployed, a log line is kept in memory until the answer is out. Here it would be a write to a pipe whose reader
// is the process that makes the load.
console.log = () => undefined;
