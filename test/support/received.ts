// Sets the responses of the receiver in test/support/receiver.ts, and reads the requests that it has received. For tests
// in workerd and in Node.

export interface Behaviour {
  /** 200 by default. */
  status?: number;
  /** The sequences of events that get a 500. */
  refuses?: number[];
  headers?: Record<string, string>;
  /** `ok` by default. */
  body?: string;
  repeatBody?: number;
  delayMs?: number;
  /** Sends no response. Requests that wait get a 503 when the behaviour is set again. */
  hangs?: boolean;
  /** Sends the status and the body, and does not end the response. */
  bodyHangs?: boolean;
  /** Closes the connection instead of a response. */
  closes?: boolean;
}

export interface Received {
  method: string;
  headers: Record<string, string>;
  body: string;
  atMs: number;
}

/** A path of the receiver. */
export interface ReceivingPath {
  url: string;
  behave: (behaviour: Behaviour) => Promise<void>;
  /** The requests to this path, in the order of their arrival. */
  received: () => Promise<Received[]>;
  /** The sequences of the received events, in the order of their arrival. */
  sequences: () => Promise<number[]>;
}

export function receivingPath(receiverUrl: string, path: string): ReceivingPath {
  const received = async () => {
    const response = await fetch(`${receiverUrl}/_received/${path}`);
    return response.json<Received[]>();
  };
  return {
    url: `${receiverUrl}/${path}`,
    behave: async (behaviour) => {
      const init = { method: "PUT", body: JSON.stringify(behaviour) };
      await (await fetch(`${receiverUrl}/_behaviour/${path}`, init)).text();
    },
    received,
    sequences: async () =>
      (await received()).map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence),
  };
}
