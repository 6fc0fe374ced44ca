// The calls of the simulated API for queues. Miniflare holds the messages in memory.
import { randomUUID } from "node:crypto";
import { ApiRefusal, type Consumer, type Queue, type Subscription } from "./account.ts";
import { type Call, found, type Routes } from "./call.ts";

const SUBSCRIPTIONS = "/event_subscriptions/subscriptions";

export const QUEUE_ROUTES: Routes = {
  "GET /queues": ({ account, query }) => {
    const names = query.getAll("name");
    return account.queues
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .map(describeQueue);
  },
  "POST /queues": ({ account, json }) => {
    const { queue_name: name } = json();
    if (account.queues.some((each) => each.name === name)) {
      throw new ApiRefusal(409, 11009, `Queue name '${String(name)}' is already taken.`);
    }
    const queue = { id: randomUUID().replaceAll("-", ""), name, consumers: [] };
    account.queues.push(queue);
    return describeQueue(queue);
  },
  "GET /queues/:queue": (call) => describeQueue(queueOf(call)),
  "GET /queues/:queue/consumers": (call) => queueOf(call).consumers,
  "POST /queues/:queue/consumers": (call) => {
    const queue = queueOf(call);
    // Wrangler replaces the settings of a consumer with PUT.
    if (queue.consumers.length > 0) throw new ApiRefusal(400, 11004, "the queue has a consumer");
    const consumer = { consumer_id: randomUUID(), ...consumerIn(call) };
    queue.consumers.push(consumer);
    return consumer;
  },
  "PUT /queues/:queue/consumers/:consumer": (call) => {
    const consumer = queueOf(call).consumers.find(
      ({ consumer_id }) => consumer_id === call.params["consumer"],
    );
    return Object.assign(found(consumer, 11001, "the consumer does not exist"), consumerIn(call));
  },
  [`GET ${SUBSCRIPTIONS}`]: ({ account, query }) =>
    account.subscriptions.filter(
      ({ destination }) => destination.queue_id === query.get("queue_id"),
    ),
  [`POST ${SUBSCRIPTIONS}`]: ({ account, json }) => {
    const subscription = { id: randomUUID(), ...(json() as Omit<Subscription, "id">) };
    const { source, destination } = subscription;
    found(
      account.queues.find(({ id }) => id === destination.queue_id),
      11000,
      "the queue does not exist",
    );
    if (account.subscriptions.some((each) => each.source.domain === source.domain)) {
      throw new ApiRefusal(405, 11100, "Multiple subscriptions on same resource not supported");
    }
    account.subscriptions.push(subscription);
    return subscription;
  },
  [`GET ${SUBSCRIPTIONS}/:subscription`]: subscriptionOf,
  [`PATCH ${SUBSCRIPTIONS}/:subscription`]: (call) =>
    Object.assign(subscriptionOf(call), call.json()),
};

const describeQueue = ({ id, name, consumers }: Queue) => ({
  ...{ queue_id: id, queue_name: name, settings: { delivery_delay: 0 } },
  ...{ producers: [], producers_total_count: 0 },
  ...{ consumers, consumers_total_count: consumers.length },
});

/** The consumer in a request's body. */
function consumerIn({ json }: Call): Omit<Consumer, "consumer_id"> {
  const { type, script_name: script, dead_letter_queue, settings } = json();
  return { type, script, dead_letter_queue, settings };
}

function queueOf({ account, params }: Call): Queue {
  const queue = account.queues.find(({ id }) => id === params["queue"]);
  return found(queue, 11000, "the queue does not exist");
}

function subscriptionOf({ account, params }: Call): Subscription {
  const subscription = account.subscriptions.find(({ id }) => id === params["subscription"]);
  return found(subscription, 11101, "the subscription does not exist");
}
