// Generated from the OpenAPI document by `npm run docs`.
export interface paths {
    "/api/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products
         * @description Returns a page of your catalogue in ascending order of `product_id`. A page may be up
         *     to a minute old, or up to 5 minutes if our database cannot be reached. This includes 304 responses. The stock in the
         *     list may therefore have changed. It is checked when you order. A newly published catalogue is listed within a minute.
         *     Responses are compressed with gzip if the request accepts it.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/product": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description Returns one product of your catalogue, with its current stock.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote an order
         * @description Returns what an order would cost now, and whether the stock and your credit suffice. Nothing is
         *     reserved or changed, so stock, credit and prices may change before you place the order. If a placement would be refused
         *     because of the product, the variation, the currency, the location or the branding, the response is the same error.
         *     Recipients and their addresses are not part of a quote.
         */
        post: operations["quoteOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an order
         * @description Returns one of your orders. Set exactly one of the three parameters that identify it.
         */
        get: operations["getOrder"];
        put?: never;
        /**
         * Place an order
         * @description Orders one piece of a product for each recipient, delivered to the address in the request.
         *
         *     This request is idempotent. If you send it again, at any time, you get the same response, and no second
         *     order is placed. It is safe to repeat the request after a timeout. The response shows the order as it was placed:
         *     GET /api/order returns its present state and links. A refused request does not use up its `order_ref_id`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gift-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place a gift-link order
         * @description Orders one piece of a product for each recipient, and returns one redemption link for each of
         *     them. You send the links. Delivery addresses are optional, because recipients enter theirs when they accept the gift.
         *     With `redeem_by`, gifts that are not accepted by the end of this day expire, and their stock and credit are returned.
         *
         *     This request is idempotent. If you send it again, at any time, you get the same response, and no second
         *     order is placed. It is safe to repeat the request after a timeout. The response shows the order as it was placed:
         *     GET /api/order returns its present state and links. A refused request does not use up its `order_ref_id`.
         */
        post: operations["placeGiftLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders
         * @description Returns a page of your orders, newest first. With `order_ref_id_prefix`, the orders are in
         *     ascending order of `order_ref_id` instead. All filters may be combined.
         *
         *     To read the whole list, send the request again with `cursor` set to the `next_cursor` of the response, until
         *     `next_cursor` is null. A page may have fewer orders than `limit`, or none, although more orders follow. This
         *     happens with `order_status`, `gift_order_method` and `redemption_status`, and if `order_ref_id_prefix` is combined with
         *     another filter, because one request then reads at most 1,000 orders. Orders that are placed while you read the list do not move the others: each order is
         *     returned once.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the gifts of a person
         * @description Returns the gifts of one person in all your orders, those of the newest order first. Set exactly one
         *     of `external_id` and `email`. Both are compared exactly, with the recipient's present values.
         *
         *     To read all gifts, send the request again with `cursor` set to the `next_cursor` of the response, until
         *     `next_cursor` is null. One request examines about 10,000 gifts, so a page may have fewer gifts than `limit`, or
         *     none, although more follow.
         */
        get: operations["listRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order or gifts
         * @description Cancels an order with all its open gifts or, with `suborder_ids`, single gifts of it. The stock of the
         *     cancelled gifts is returned, and so is their share of the credit that you paid. Set exactly one of `order_id`,
         *     `order_number` and `order_ref_id`.
         *
         *     - Without `suborder_ids`, the order becomes `cancieled`, the API's spelling. Gifts that are redeemed, shipped or sent
         *       are neither cancelled nor refunded. If the order has failed or has no open gift, the response is `not_cancellable`.
         *     - With `suborder_ids`, all of these gifts are cancelled or none. If one of them is redeemed, shipped or sent, the
         *       response is `not_cancellable`. When all gifts of an order are cancelled or expired, the order becomes `cancieled`.
         *     - Cancelling gifts one by one returns exactly the same amount as cancelling them together.
         *
         *     It is safe to repeat the request. An order or a gift that is already cancelled is not cancelled again, and the response
         *     shows the present state.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/order/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct a recipient
         * @description Corrects the name, the contact data or the delivery address of one recipient, until the gift is shipped
         *     or sent. It works for both kinds of orders, and for a gift that its recipient has accepted: it then replaces what the
         *     recipient entered. The rules of the fields are those of the placement. For an order of POST /api/order and for an
         *     accepted gift, the address of a physical product must be complete. Its country must be in the product's
         *     `available_location`.
         *
         *     The event `gift.corrected` contains the names of the fields that have changed. The link of a gift stays the same. If you
         *     have sent it to a wrong address, replace it with POST /api/gift-link/renew, which can correct the name and the e-mail
         *     address too.
         *
         *     It is safe to repeat the request: if the recipient has all the given values already, nothing changes, and the response
         *     shows the present data. Gifts that are shipped, sent, cancelled, declined or expired, or whose order has failed, are
         *     refused with `not_correctable`. The response to a repeated placement still contains the first data. GET /api/order
         *     returns the present data.
         */
        post: operations["correctRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gift-link/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a gift link
         * @description Replaces the link of one recipient of a gift-link order, for example because it was sent to a wrong
         *     address or published. The response contains the new link. You send it to the recipient. The old link then opens a page
         *     that says that it was replaced. You can correct the recipient's name and e-mail address in the same request.
         *
         *     Set `gift_url` to the link that you want to replace. It is then safe to repeat the request: if the link was replaced
         *     already, neither the link nor the name and the e-mail address change, and the response contains the current link.
         *     Without `gift_url`, every request replaces the link. Of two such requests at the same time, only the link of the later
         *     one works.
         *
         *     A link can be renewed while the gift is open or not paid yet, and after it was accepted, because the page of an accepted
         *     gift shows the address. Other gifts are refused with `not_renewable`. A link can be renewed
         *     999 times. The response to a repeated placement still contains the first links. GET /api/order
         *     returns the current ones.
         */
        post: operations["renewGiftLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/gift-link/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a gift link by e-mail
         * @description Sends the link of an open gift to its recipient, also if the order was placed with another
         *     `send_method` or the link was sent before. If the order is not paid yet, the e-mail is sent when it is. A request
         *     replaces an earlier one whose e-mail has not been sent.
         *
         *     Each gift can be sent 3 times in 24 hours. After that, the response is a
         *     `too_many_requests` whose `Retry-After` says when it can be sent again. A gift that is accepted or has ended, and one
         *     whose recipient wants no e-mails, is refused with `not_allowed_in_state`.
         */
        post: operations["sendGiftLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/shipments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shipments
         * @description Returns the shipments of an order, or your shipments that have changed. Set exactly one of
         *     `order_id`, `order_number`, `order_ref_id` and `updated_from`.
         *
         *     - **Of an order**: its gifts that are shipped or are to be shipped, in ascending order of `suborder_id`. The list is
         *       empty if there are none yet, for example because no recipient has accepted a gift.
         *     - **With `updated_from`**: your shipments that changed at this time or later, in the order of their changes. A
         *       shipment is in this list when it is shipped or sent. It moves to the end when it is delivered, when its tracking is
         *       corrected, and when it is set back to `open`. Gifts that were never shipped or sent are not in it.
         *       A gift whose shipment is `open` again may be cancelled later, which only `gift.cancelled` or `order.cancelled`
         *       reports.
         *
         *     If `has_more` is true, send the request again with `cursor` set to `next_cursor` to read the next page. With
         *     `updated_from`, `next_cursor` is always set. To read later changes, save it, and send it with the same
         *     `updated_from` after a few minutes or when you receive an event. No change is missed, whatever the clocks show.
         */
        get: operations["listShipments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns your events whose `sequence` is greater than `after`, in ascending order. Your first event
         *     has the sequence 1, and the sequences have no gaps, except before a `data.restored`. Store `next_after` with the events, and send it as `after` in
         *     the next request. If you read the feed this way, you get every event exactly once. Events are kept without a time
         *     limit, and they contain no personal data except the tracking of parcels, and what you put into `metadata` and
         *     `external_id`.
         *
         *     If `after` is greater than the sequence of your last event, the response is a `validation_error`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Returns one of your endpoints, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        /**
         * Create or update a webhook endpoint
         * @description Registers the URL to which we send your events, and returns the secret that signs them. If you
         *     already have an endpoint with this URL, its `event_types` and its `description` are replaced, and the secret does not
         *     change. It is safe to repeat the request, and it is the way to read the secret again. You can have
         *     5 endpoints.
         *
         *     A new endpoint receives the events that occur from now on. For earlier events, use
         *     [POST /api/webhook/redeliver](#redeliver).
         *
         *     The URL must begin with `https://` and have a public domain name as its host, without a port, a user, a password or a
         *     fragment. It is stored in its normal form, with a host in lower case.
         */
        post: operations["saveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Returns all your endpoints, oldest first, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of the type `webhook.test` to the endpoint, signed like every other event, and returns
         *     the endpoint's response. The event is sent once, also to a disabled endpoint. It has the sequence 0 and is neither in
         *     the event feed nor in the delivery log. The request may take 15 seconds, the time that an endpoint has to respond.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description Returns a new secret. For 24 hours, each delivery has two signatures, one with the new and one with
         *     the previous secret. Replace the secret in your receiver during this time. If you send the request again within the 24
         *     hours, you get the same secret, and nothing changes.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns the last attempt to send each event to the endpoint, in descending order of `sequence`. To
         *     read older deliveries, send `next_before` as `before`. With a `status`, a page may have fewer deliveries than
         *     `limit`, or none, although there are older ones. Continue until `next_before` is null.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events again
         * @description Sends events to the endpoint again. Set exactly one of the two sequences:
         *
         *     - `sequence`: this event is sent, even if `event_types` does not contain its type.
         *     - `since_sequence`: this event and all later ones that `event_types` contains are sent.
         *
         *     An event that has not been sent yet is sent once. While a redelivery with `since_sequence` is pending, another one is
         *     ignored, unless it begins earlier and no event of the pending one has been sent yet. If it is ignored, the response is the
         *     same, and `position` is the last event that was sent. If the endpoint is disabled, the events are sent when you enable it.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a webhook endpoint
         * @description Stops sending events to the endpoint. Events that occur in the meantime are sent when you enable it
         *     again. A delivery that has begun may still arrive.
         */
        post: operations["disableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook endpoint
         * @description Sends events to the endpoint again, beginning with the event where sending stopped, and repeats
         *     pending deliveries at once. Deliveries with the status `failed` are not repeated: use [POST
         *     /api/webhook/redeliver](#redeliver). Enable an endpoint that we have disabled after you have repaired it. If you do
         *     not need the events of that time, delete the endpoint and create it again.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhook/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a webhook endpoint
         * @description Stops sending events to the endpoint for good. If you create an endpoint with the same URL later, it
         *     has a new id and a new secret.
         */
        post: operations["deleteWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the credit balance
         * @description Returns your current credit in one currency.
         */
        get: operations["getCreditBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credit balances
         * @description Returns your present credit in all currencies.
         */
        get: operations["listCreditBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credit-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the credit entries
         * @description Returns the changes of your credit in one currency, oldest first. To keep a copy, save the entries of a page together with `next_after`, and send it as `after` in the next request. The sum of all amounts is the balance. Orders on invoice are not paid with credit and have no entries.
         */
        get: operations["listCreditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/pay-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay an order
         * @description Sets a `created` order to `paid`, as we do in production when your invoice is paid. The event is
         *     `order.paid`. Only clients that pay by invoice have `created` orders.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the order is already paid, the response is its present state.
         */
        post: operations["paySandboxOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/fail-order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail an order
         * @description Sets a `created` order to `failed`, as we do in production when your invoice is not paid. Its gifts
         *     are cancelled, and its stock is returned. The event is `order.failed`.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the order has already failed, the response is its present state.
         */
        post: operations["failSandboxOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/redeem-gift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a gift
         * @description Accepts a gift as its recipient does on the gift page, without choosing another gift. The event is
         *     `gift.redeemed`. The gift must have a gift link, and its order must be paid.
         *
         *     A physical gift is sent to `delivery_address`. If it is left out, the address is that of the order, and missing fields
         *     get sample values in the order's `base_location`.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the gift is already redeemed, the response is its present state, and its address does not change.
         */
        post: operations["redeemSandboxGift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/expire-gift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a gift
         * @description Expires a gift that is not accepted, as if its last day had passed, even if it has no last day. Its
         *     stock and credit are returned. The event is `gift.expired`. The gift must have a gift link. The order becomes
         *     `cancieled` if all its gifts are cancelled or expired.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the gift has already expired, the response is its present state.
         */
        post: operations["expireSandboxGift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/ship-gift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ship a gift
         * @description Ships the parcel of a gift, or sends a digital gift, as we do in production. The event is `gift.shipped`
         *     or, for a digital gift, `gift.sent`. The gift must be redeemed or, in an order of POST /api/order, be paid.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the gift is already shipped with the same tracking, the response is its present state. With another
         *     tracking, the response is `not_allowed_in_state`.
         */
        post: operations["shipSandboxGift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/deliver-gift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a gift
         * @description Delivers a parcel that is shipped. The event is `gift.delivered`. A digital gift is not delivered.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the gift is already delivered, the response is its present state.
         */
        post: operations["deliverSandboxGift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/gift-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cause an event of a gift
         * @description Does what recipients and we do in production: a recipient thanks for a redeemed gift (`gift.thanked`) or
         *     declines an open one (`gift.declined`); we change the last day of a gift (`gift.extended`) or of its order
         *     (`order.extended`), or reopen its shipment (`gift.reopened`).
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the event has happened, or the last day is already `redeem_by`, there is no second event.
         */
        post: operations["causeSandboxGiftEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the e-mails about a gift
         * @description Returns the e-mails that production would have sent to the recipient of a gift. The sandbox sends none.
         *     An e-mail is listed some seconds after it is due.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request.
         */
        get: operations["listSandboxEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/email-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the delivery or failure of an e-mail
         * @description Simulates a report about the last e-mail to the recipient of a gift, which comes from the receiving mail
         *     server in production. After `bounced` and `complained`, no further e-mails about the gift are sent, and after
         *     `complained` none of your e-mails to the address. `bounced`, `rejected` and `complained` also cause the event
         *     `gift.email_failed`.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request.
         */
        post: operations["reportSandboxEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add credit
         * @description Adds credit in a currency, as we do in production when you pay for it. With `alert_below`, also sets the
         *     amount below which the event `credit.low` reports the balance, once until it is at or above it again. In production, we
         *     set this amount.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. If the reference was booked with another amount, the response is `not_allowed_in_state`.
         */
        post: operations["addSandboxCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance your clock
         * @description Lets time pass for your client, and only for it. Your orders are not dated back: instead, what lies in the
         *     future comes nearer. These times move into the past by `advance`: the last days and the e-mails of gifts in orders that
         *     are not finished, and the retries and the pauses of your webhook endpoints. The dates of orders and events do not move,
         *     and no event reports the moved last days.
         *
         *     What is due then happens as after an outage: gifts whose last day has passed expire, without the reminders before. To see
         *     a reminder, advance to a time between it and the last day. Expiries and `gift.expiring` happen before the response, for
         *     at most 80 orders, and for further ones within minutes. E-mails and deliveries follow within seconds.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. A repeated request advances the clock again. If a response is lost, `PT0S` returns `advanced_seconds`
         *     and moves nothing. With more than 10000 gifts in orders that are not finished, the response is
         *     `not_allowed_in_state`.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset your sandbox
         * @description Removes your orders with their gifts and e-mails. They are not found any more, their links are closed, their
         *     references are free again, and their numbers are not used again. The stock of gifts that are not shipped is returned,
         *     personal data is erased, and each balance returns to the amount of its first booking. Your webhook endpoints stay.
         *
         *     Events stay in the feed. The last one is `data.restored` with the `last_sequence` 0: no event before it is valid. Do
         *     not place orders during a reset, because they may be removed too.
         *
         *     This operation exists only in the sandbox. In production, the response is a `not_found`, as for an
         *     unknown path. It is safe to repeat the request. A request removes some thousand gifts. If `complete` is false, repeat it.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event
         * @description We send this request to your endpoint for each event. Its signature follows
         *     [Standard Webhooks](https://www.standardwebhooks.com), for which there are libraries in many languages. **Verify the
         *     signature of every request before you use it**, because anyone who has the URL can send a request to it:
         *
         *     1. Take the body as the bytes that you received. Do not parse it first.
         *     2. Compute HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. The key is your secret without the prefix
         *        `whsec_`, decoded from base64.
         *     3. Encode the result as base64. Compare it in constant time with each signature of `webhook-signature`, without `v1,`.
         *        One of them must be equal.
         *     4. Reject the request if `webhook-timestamp` is more than 5 minutes away from the current time.
         *
         *     Respond with a 2xx status within 15 seconds. Store the event and process it afterwards. An event may arrive more than
         *     once, and events may arrive in another order. The `sequence` identifies an event and its position.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * OrderRequest
         * @description An order to be delivered. Unknown fields are ignored.
         */
        OrderRequest: {
            /** @description Your own reference for this order, compared exactly. It works as an idempotency key that does not expire: the same request never places a second order. */
            order_ref_id: string;
            /**
             * Format: int64
             * @description The product to order: `product_id` of the catalogue.
             */
            product_id: number;
            /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
            variation_id?: number | null;
            /** @description ISO 4217 code of the order's currency. It must be the `price_currency` of the product. */
            currency: string;
            /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
            base_location: string;
            /** @description One entry for each recipient. Each recipient gets one piece. */
            recipient_details: components["schemas"]["RecipientInput"][];
            /** @description Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces. It is returned by GET /api/orders, GET /api/order and in events. Do not put personal data into it. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /**
         * RecipientInput
         * @description A recipient of the product.
         */
        RecipientInput: {
            /** @description First name. */
            first_name: string;
            /** @description Last name. */
            last_name: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Telephone number, in any format. */
            phone_number?: string | null;
            /** @description Delivery address. Required for a `physical` product, with `address_line_1`, `suburb`, `postcode_zipcode`, `country`. */
            delivery_address?: components["schemas"]["AddressInput"] | null;
            /** @description Your own id of the recipient. It need not be unique. Recipients do not see it. */
            external_id?: string | null;
            /** @description Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces. Recipients do not see it. */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        /**
         * AddressInput
         * @description A delivery address.
         */
        AddressInput: {
            /** @description Street and number. */
            address_line_1?: string | null;
            /** @description Unit, floor or company. */
            address_line_2?: string | null;
            /** @description Suburb, town or city. */
            suburb?: string | null;
            /** @description State or region. */
            state?: string | null;
            /** @description Postal code. Not needed if the country has no postal codes. */
            postcode_zipcode?: string | null;
            /** @description Country, as written on the parcel. If it is an ISO 3166-1 alpha-2 code, in upper or lower case, or the English name of a country (`Germany`, `United States`, `USA`, `U.K.`), that country must be in the product's `available_location`, unless that list is empty. Other text is not checked. */
            country?: string | null;
        };
        /**
         * GiftLinkRequest
         * @description An order of gifts, with a link for each recipient. Unknown fields are ignored.
         */
        GiftLinkRequest: {
            /** @description Your own reference for this order, compared exactly. It works as an idempotency key that does not expire: the same request never places a second order. */
            order_ref_id: string;
            /**
             * Format: int64
             * @description The product to order: `product_id` of the catalogue.
             */
            product_id: number;
            /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
            variation_id?: number | null;
            /** @description ISO 4217 code of the order's currency. It must be the `price_currency` of the product. */
            currency: string;
            /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
            base_location: string;
            /** @description One entry for each recipient. Each recipient gets one piece. */
            recipient_details: components["schemas"]["GiftLinkRecipientInput"][];
            /** @description Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces. It is returned by GET /api/orders, GET /api/order and in events. Do not put personal data into it. */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description `Y` if the recipient may choose another gift.
             * @default N
             */
            gift_of_choice?: ("Y" | "N") | null;
            /**
             * @description Branding of the gift page. `company` requires a branding in your company profile.
             * @default platform
             */
            order_branding?: ("platform" | "company") | null;
            /** @description The last day on which recipients can accept their gifts: from today, in UTC, to the same date in five years. Gifts that are not accepted expire when this day has ended everywhere on Earth, which is at noon UTC of the next day. Without it, they do not expire, unless a default is agreed for your company. */
            redeem_by?: string | null;
            /** @description The person who sends the gifts, shown on the gift page beside the name of your company. */
            sender_name?: string | null;
            /** @description `email`: we send each recipient an e-mail with the link, and reminders. `link`, the default: you send the links. */
            send_method?: ("link" | "email") | null;
            /** @description When the e-mails are sent: a time with an offset, at most a year ahead and not after the last day. A time in the past means now, which is the default. Only with `send_method` `email`. */
            send_at?: string | null;
        };
        /**
         * GiftLinkRecipientInput
         * @description A recipient of a gift link.
         */
        GiftLinkRecipientInput: {
            /** @description First name. */
            first_name: string;
            /** @description Last name. */
            last_name: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Telephone number, in any format. */
            phone_number?: string | null;
            /** @description Delivery address, if you have it. The recipient sees it on the gift page and can change it. */
            delivery_address?: components["schemas"]["AddressInput"] | null;
            /** @description Your own id of the recipient. It need not be unique. Recipients do not see it. */
            external_id?: string | null;
            /** @description Your own keys and values: at most 20 keys of 1 to 40 characters, values of at most 500 characters, and 4,096 bytes in total, as JSON in UTF-8 without spaces. Recipients do not see it. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Message to this recipient, shown on the gift page. */
            redemption_message?: string | null;
            /** @description The recipient's language, as a BCP 47 tag such as `de` or `pt-BR`. If the gift page is not available in this language, it is shown in a language of the recipient's browser or in English. */
            language?: string | null;
        };
        /**
         * QuoteRequest
         * @description An order that is not placed. Unknown fields are ignored.
         */
        QuoteRequest: {
            /**
             * Format: int64
             * @description The product to order: `product_id` of the catalogue.
             */
            product_id: number;
            /** @description The variation to order: `id` of one of the product's `variations`. Required for a `variable` product, refused for a `simple` one. */
            variation_id?: number | null;
            /** @description ISO 4217 code of the order's currency. It must be the `price_currency` of the product. */
            currency: string;
            /** @description Country of the order, as an ISO 3166-1 alpha-2 code. It must be in the product's `available_location`, unless that list is empty. */
            base_location: string;
            /**
             * Format: int64
             * @description Number of recipients.
             */
            qty: number;
            /**
             * @description `api-purchase` for an order by POST /api/order, `api-giftlink` for one by POST /api/gift-link.
             * @default api-purchase
             */
            gift_order_method?: ("api-purchase" | "api-giftlink") | null;
            /** @description As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`. */
            gift_of_choice?: ("Y" | "N") | null;
            /** @description As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`. */
            order_branding?: ("platform" | "company") | null;
            /** @description As in POST /api/gift-link. Only if `gift_order_method` is `api-giftlink`. */
            redeem_by?: string | null;
        };
        /**
         * CancelRequest
         * @description The order or the gifts to cancel. Set exactly one of `order_id`, `order_number` and `order_ref_id`. Unknown fields are refused, so that a misspelt `suborder_ids` does not cancel the whole order.
         */
        CancelRequest: {
            /** @description The order's id. */
            order_id?: number | null;
            /** @description The order's number. */
            order_number?: string | null;
            /** @description Your own reference for the order, exactly as you sent it. */
            order_ref_id?: string | null;
            /** @description The `suborder_id` of each gift to cancel. If it is left out, the order is cancelled with all its open gifts. Null is refused. */
            suborder_ids?: number[];
        };
        /**
         * CorrectionRequest
         * @description The recipient to correct, and the fields that change. At least one of them is required. A field that is left out keeps its value. Unknown fields are refused, so that a misspelt one is not overlooked.
         */
        CorrectionRequest: {
            /**
             * Format: int64
             * @description The recipient's part of the order.
             */
            suborder_id: number;
            /** @description Corrected first name. */
            first_name?: string | null;
            /** @description Corrected last name. */
            last_name?: string | null;
            /** @description Corrected e-mail address. */
            email?: string | null;
            /** @description Corrected phone number. An empty text removes it. */
            phone_number?: string | null;
            /** @description Corrected delivery address. It replaces the whole address: parts that are left out are empty afterwards. */
            delivery_address?: components["schemas"]["AddressInput"] | null;
            /** @description Corrected notes for the delivery. An empty text removes them. */
            delivery_notes?: string | null;
            /** @description Corrected e-mail address to which a digital gift is sent, instead of the one that the recipient entered. Only for a digital gift that is redeemed. */
            delivery_email?: string | null;
        };
        /**
         * RenewalRequest
         * @description The gift whose link is replaced. Unknown fields are ignored.
         */
        RenewalRequest: {
            /**
             * Format: int64
             * @description The recipient's part of the order: `suborder_id` of a gift-link order.
             */
            suborder_id: number;
            /** @description The link to replace. If the gift has another link now, nothing changes, and the response contains that link. Leave it out to replace any link. */
            gift_url?: string | null;
            /** @description Corrected first name. The name does not change if it is left out. */
            first_name?: string | null;
            /** @description Corrected last name. The name does not change if it is left out. */
            last_name?: string | null;
            /** @description Corrected e-mail address. The address does not change if it is left out. */
            email?: string | null;
        };
        /**
         * SendRequest
         * @description The gift whose link is sent. Unknown fields are ignored.
         */
        SendRequest: {
            /**
             * Format: int64
             * @description The recipient's part of the order: `suborder_id` of a gift-link order.
             */
            suborder_id: number;
            /** @description When the e-mail is sent: a time with an offset, at most a year ahead and before the gift expires. A time in the past means now, which is the default. */
            send_at?: string | null;
        };
        /**
         * WebhookRequest
         * @description A webhook endpoint. Unknown fields are ignored.
         */
        WebhookRequest: {
            /** @description The URL to which we send events. It begins with `https://`. */
            url: string;
            /** @description The types of events that we send. All types if it is left out. */
            event_types?: ("order.created" | "order.paid" | "order.failed" | "order.cancelled" | "order.extended" | "gift.redeemed" | "gift.thanked" | "gift.declined" | "gift.cancelled" | "gift.extended" | "gift.corrected" | "gift.renewed" | "gift.expiring" | "gift.expired" | "gift.shipped" | "gift.delivered" | "gift.sent" | "gift.reopened" | "gift.email_sent" | "gift.email_failed" | "credit.low" | "data.restored")[] | null;
            /** @description A description for yourself. */
            description?: string | null;
        };
        /**
         * WebhookSelection
         * @description One of your endpoints.
         */
        WebhookSelection: {
            /**
             * Format: int64
             * @description The endpoint's id.
             */
            webhook_id: number;
        };
        /**
         * RedeliveryRequest
         * @description Events to send again. Set exactly one of the two sequences.
         */
        RedeliveryRequest: {
            /**
             * Format: int64
             * @description The endpoint's id.
             */
            webhook_id: number;
            /** @description The event to send again. */
            sequence?: number | null;
            /** @description The first event to send again. All later events are sent too. */
            since_sequence?: number | null;
        };
        /**
         * OrderSelection
         * @description One of your orders. Set exactly one of the three fields.
         */
        OrderSelection: {
            /** @description The order's id. */
            order_id?: number | null;
            /** @description The order's number. */
            order_number?: string | null;
            /** @description Your own reference for the order, exactly as you sent it. */
            order_ref_id?: string | null;
        };
        /**
         * SandboxRedemptionRequest
         * @description A gift to redeem, and what its recipient enters on the gift page.
         */
        SandboxRedemptionRequest: {
            /**
             * Format: int64
             * @description The gift's id.
             */
            suborder_id: number;
            /** @description Delivery address of a physical gift, with `address_line_1`, `suburb`, `postcode_zipcode`, `country`. If it is left out, it is the order's address, completed with sample values. A digital gift has none. */
            delivery_address?: components["schemas"]["AddressInput"] | null;
            /** @description Notes for the delivery of a physical gift. */
            delivery_notes?: string | null;
        };
        /**
         * SandboxGiftRequest
         * @description One of your gifts.
         */
        SandboxGiftRequest: {
            /**
             * Format: int64
             * @description The gift's id.
             */
            suborder_id: number;
        };
        /**
         * SandboxShipmentRequest
         * @description A gift to ship, with the tracking of its parcel. A digital gift has no tracking.
         */
        SandboxShipmentRequest: {
            /**
             * Format: int64
             * @description The gift's id.
             */
            suborder_id: number;
            /** @description The company that carries the parcel. */
            carrier?: string | null;
            /** @description The carrier's number of the parcel. */
            tracking_number?: string | null;
            /** @description The carrier's page about the parcel. It begins with `https://`. */
            tracking_url?: string | null;
        };
        /**
         * SandboxEmailEventRequest
         * @description A report about the last e-mail about a gift.
         */
        SandboxEmailEventRequest: {
            /**
             * Format: int64
             * @description The gift's id.
             */
            suborder_id: number;
            /**
             * @description The status that the e-mail gets.
             * @enum {string}
             */
            event: "delivered" | "deferred" | "bounced" | "rejected" | "complained";
        };
        /**
         * SandboxGiftEventRequest
         * @description A gift, and an event to cause.
         */
        SandboxGiftEventRequest: {
            /**
             * Format: int64
             * @description The gift's id.
             */
            suborder_id: number;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event: "gift.thanked" | "gift.declined" | "gift.extended" | "gift.reopened" | "order.extended";
            /** @description The new last day. Required for `gift.extended` and `order.extended`, otherwise ignored. */
            redeem_by?: string | null;
        };
        /**
         * SandboxClockRequest
         * @description By how much to advance your clock.
         */
        SandboxClockRequest: {
            /** @description ISO 8601 duration of days, hours, minutes and seconds, at most 366 days. */
            advance: string;
        };
        /**
         * SandboxCreditRequest
         * @description Credit to add.
         */
        SandboxCreditRequest: {
            /** @description ISO 4217 code. If it is left out, the currency is the default currency of your client. */
            currency?: string | null;
            /** @description The amount to add, which may be 0. */
            amount: string;
            /** @description Your own reference of the addition. Each reference is booked once. */
            reference: string;
            /** @description The amount below which `credit.low` reports the balance. */
            alert_below?: string | null;
        };
        /**
         * SandboxResetRequest
         * @description The confirmation of a reset.
         */
        SandboxResetRequest: {
            /** @description Your `CLIENT-ID`. */
            confirm: string;
        };
        /**
         * ProductList
         * @description A page of products, in ascending order of `product_id`.
         */
        ProductList: {
            /**
             * Format: int64
             * @description Number of products in your whole catalogue. The filter does not apply.
             */
            total_products: number;
            /**
             * Format: int64
             * @description Number of products in this response.
             */
            total_products_in_query: number;
            /**
             * Format: int64
             * @description Number of this page.
             */
            current_page: number;
            /**
             * Format: int64
             * @description Number of pages of the filtered list, at least 1. A page past the end is empty.
             */
            total_pages: number;
            /** @description The products of this page. */
            products: components["schemas"]["Product"][];
        };
        /**
         * Product
         * @description A product: `simple` with a price, or `variable` with variations.
         */
        Product: components["schemas"]["SimpleProduct"] | components["schemas"]["VariableProduct"];
        /**
         * SimpleProduct
         * @description A product with one price.
         */
        SimpleProduct: {
            /**
             * Format: int64
             * @description Identifies the product. Use it as `product_id` in orders.
             */
            product_id: number;
            /** @description SKU. May be empty. */
            product_sku: string;
            /** @description Full name. */
            product_name: string;
            /** @description Full description. May contain HTML and line breaks. Sanitise it before you show it. */
            product_description: string;
            /** @description Short description. May be empty. */
            product_short_description: string;
            /**
             * @description Always `simple`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            product_type: "simple";
            /**
             * @description `physical` products are sent to an address. `digital` products need no address.
             * @enum {string}
             */
            digital_physical: "physical" | "digital";
            /**
             * @description `Y` if the stock is counted, `N` if it is not.
             * @enum {string}
             */
            track_inventory: "Y" | "N";
            /**
             * @description Whether the product can be ordered. It may change between this response and your order.
             * @enum {string}
             */
            stock_status: "in_stock" | "out_of_stock";
            /** @description Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted. */
            stock_qty: string;
            /** @description Full URL of the main image. */
            featured_image: string;
            /** @description Full URLs of more images. May be empty. */
            additional_images: string[];
            /** @description The company that makes or sells the product. */
            product_vendor: components["schemas"]["Vendor"];
            /** @description Cost of shipping one piece, in the product's currency. */
            shipping_cost: number;
            /** @description Weight and size of one parcel. */
            shipping_details: components["schemas"]["ShippingDetails"];
            /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere. */
            available_location: string[];
            /** @description Price of one piece: a decimal number, as a string. */
            price: string;
            /** @description ISO 4217 code of the price's currency. Orders of the product must use it. */
            price_currency: string;
        };
        /**
         * VariableProduct
         * @description A product with variations, each with its own price and stock.
         */
        VariableProduct: {
            /**
             * Format: int64
             * @description Identifies the product. Use it as `product_id` in orders.
             */
            product_id: number;
            /** @description SKU. May be empty. */
            product_sku: string;
            /** @description Full name. */
            product_name: string;
            /** @description Full description. May contain HTML and line breaks. Sanitise it before you show it. */
            product_description: string;
            /** @description Short description. May be empty. */
            product_short_description: string;
            /**
             * @description Always `variable`. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            product_type: "variable";
            /**
             * @description `physical` products are sent to an address. `digital` products need no address.
             * @enum {string}
             */
            digital_physical: "physical" | "digital";
            /**
             * @description `Y` if the stock is counted, `N` if it is not.
             * @enum {string}
             */
            track_inventory: "Y" | "N";
            /**
             * @description Whether the product can be ordered. It may change between this response and your order.
             * @enum {string}
             */
            stock_status: "in_stock" | "out_of_stock";
            /** @description Pieces in stock, summed over all variations, as a string. Empty if the stock of the product, or of a variation in stock, is not counted. */
            stock_qty: string;
            /** @description Full URL of the main image. */
            featured_image: string;
            /** @description Full URLs of more images. May be empty. */
            additional_images: string[];
            /** @description The company that makes or sells the product. */
            product_vendor: components["schemas"]["Vendor"];
            /** @description Cost of shipping one piece, in the product's currency. */
            shipping_cost: number;
            /** @description Weight and size of one parcel. */
            shipping_details: components["schemas"]["ShippingDetails"];
            /** @description ISO 3166-1 alpha-2 codes of the countries where the product is available. Empty means everywhere. */
            available_location: string[];
            /** @description The attributes in which the variations differ, such as size and colour. */
            attributes: components["schemas"]["Attribute"][];
            /** @description The variations that can be ordered. */
            variations: components["schemas"]["Variation"][];
        };
        /**
         * Attribute
         * @description An attribute in which variations differ, such as a size.
         */
        Attribute: {
            /**
             * Format: int64
             * @description Identifies the attribute.
             */
            id: number;
            /** @description Name of the attribute. */
            name: string;
            /** @description All options of the attribute. */
            option: string[];
        };
        /**
         * Variation
         * @description One combination of options.
         */
        Variation: {
            /**
             * Format: int64
             * @description Identifies the variation. Use it as `variation_id` in orders.
             */
            id: number;
            /** @description SKU of the variation. May be empty. */
            sku: string;
            /** @description Price of one piece: a decimal number, as a string. */
            price: string;
            /** @description ISO 4217 code of the price's currency. All variations have the same. */
            price_currency: string;
            /** @description Pieces in stock, as a string. Empty if the stock is not counted. */
            variation_qty: string;
            /**
             * @description Whether this variation can be ordered.
             * @enum {string}
             */
            variation_stock_status: "in_stock" | "out_of_stock";
            /** @description One option for each attribute. */
            options: components["schemas"]["VariationOption"][];
        };
        /**
         * VariationOption
         * @description The option of one attribute.
         */
        VariationOption: {
            /**
             * Format: int64
             * @description The attribute's `id`.
             */
            id: number;
            /** @description The attribute's name. */
            name: string;
            /** @description The option. */
            option: string;
        };
        /**
         * Vendor
         * @description A vendor.
         */
        Vendor: {
            /** @description Name. */
            name: string;
            /** @description Full text about the vendor. May contain HTML. */
            bio: string;
            /** @description Full URL of the logo. */
            logo: string;
            /** @description How the vendor ships its products. May be blank or null. */
            shipping_info: string | null;
            /** @description The vendor's returns policy. May be blank or null. */
            returns_info: string | null;
        };
        /**
         * ShippingDetails
         * @description Weight and size of a parcel, as strings. Unknown values are empty.
         */
        ShippingDetails: {
            /** @description Weight in kg. */
            weight: string;
            /** @description Length in cm. */
            length: string;
            /** @description Width in cm. */
            width: string;
            /** @description Height in cm. */
            height: string;
        };
        /**
         * Quote
         * @description The costs of an order that is not placed.
         */
        Quote: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The costs of the order. */
            order_totals: components["schemas"]["PlacedTotals"];
            /** @description False if your credit is less than `order_total`. A placement would then be refused with `insufficient_credit`. Always true if you pay by invoice. */
            credit_sufficient: boolean;
            /** @description False if the stock is less than `qty`. A placement would then be refused with `out_of_stock`. */
            stock_sufficient: boolean;
        };
        /**
         * PlacedOrder
         * @description A placed order. Ids and amounts are numbers here.
         */
        PlacedOrder: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /** @description The costs of the order. */
            order_totals: components["schemas"]["PlacedTotals"];
        };
        /**
         * PlacedOrderData
         * @description Id and number of a placed order.
         */
        PlacedOrderData: {
            /**
             * Format: int64
             * @description Identifies the order. Use it as `order_id` in GET /api/order.
             */
            order_id: number;
            /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
            order_number: string;
        };
        /**
         * PlacedTotals
         * @description Totals as numbers.
         */
        PlacedTotals: {
            /** @description ISO 4217 code of the currency of all amounts in this object. */
            currency: string;
            /** @description Price of one piece. */
            product_price: number;
            /**
             * Format: int64
             * @description Number of recipients.
             */
            qty: number;
            /** @description `product_price` × `qty`. */
            subtotal: number;
            /** @description The product's shipping cost × `qty`. */
            shipping_cost: number;
            /** @description Our fee: a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up. */
            order_fee: number;
            /** @description The exact sum of `subtotal`, `shipping_cost` and `order_fee`. */
            order_total: number;
        };
        /**
         * PlacedGiftLinks
         * @description A placed gift-link order with one link for each recipient.
         */
        PlacedGiftLinks: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /** @description The costs of the order. */
            order_totals: components["schemas"]["PlacedTotals"];
            /** @description One entry for each recipient, in the same order as in the request. */
            recipient_return: components["schemas"]["GiftLink"][];
        };
        /**
         * GiftLink
         * @description A recipient's gift link.
         */
        GiftLink: {
            /**
             * Format: int64
             * @description Identifies the recipient's part of the order.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /** @description First name. */
            first_name: string;
            /** @description Last name. */
            last_name: string;
            /** @description E-mail address. */
            email: string;
            /**
             * Format: uri
             * @description Link to the page where the recipient accepts the gift. You send it to the recipient. Anyone who has the link can accept the gift.
             */
            gift_url: string;
        };
        /**
         * Order
         * @description An order. Ids and amounts are strings here. In the responses of POST /api/order and POST /api/gift-link they are numbers.
         */
        Order: {
            /** @description Identifies the order, as a string. */
            order_id: string;
            /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
            order_number: string;
            /** @description When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC. */
            order_date: string;
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /**
             * @description How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others in Regalo's online store.
             * @enum {string}
             */
            gift_order_method: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
            /** @description How many times the link can be redeemed. Only if `gift_order_method` is `link`. */
            link_how_many_times?: number | null;
            /** @description The redemption URL. Only if `gift_order_method` is `link`. */
            link_url?: string | null;
            /** @description The message on the redemption page. Only if `gift_order_method` is `link`. */
            link_message?: string | null;
            /**
             * @description `Y` if recipients may choose another gift.
             * @enum {string}
             */
            gift_of_choice: "Y" | "N";
            /**
             * @description The branding of the order. `custom` can only be set in Regalo's online store.
             * @enum {string}
             */
            branding_selected: "platform" | "company" | "custom";
            /** @description The branding when the order was placed. */
            branding_options: components["schemas"]["BrandingOptions"];
            /** @description The product that was ordered. It never changes. */
            product_offered: components["schemas"]["ChosenProduct"];
            /** @description The costs of the order. Except for `refunded`, they never change. */
            order_totals: components["schemas"]["OrderTotals"];
            /**
             * @description The template of the order's e-mails. It can only be set in Regalo's online store.
             * @enum {string}
             */
            email_template: "celebration" | "generic" | "sympathy" | "christmas";
            /** @description One sub-order for each recipient. */
            recipients: components["schemas"]["SubOrder"][];
            /** @description The order's `metadata`. Empty if there is none. Only with `include=metadata`. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own reference for the order. Null for orders of Regalo's online store. Only with `include=details`. */
            order_ref_id?: string | null;
            /** @description The last day on which the gifts can be accepted. Null if they do not expire. Only with `include=details`. */
            redeem_by?: string | null;
            /**
             * Format: date-time
             * @description When the order last changed, in RFC 3339 format and UTC: it was placed, paid, failed, cancelled or extended, a gift was redeemed, declined, cancelled or expired, a link was renewed, or a shipment changed. Only with `include=details`.
             */
            updated_at?: string;
            /** @description The order's `sender_name`. Null if there is none. Only with `include=details`. */
            sender_name?: string | null;
        };
        /**
         * OrderTotals
         * @description Totals as strings.
         */
        OrderTotals: {
            /** @description ISO 4217 code of the currency of all amounts in this object. */
            currency: string;
            /** @description Price of one piece. */
            product_price: string;
            /** @description Number of recipients. */
            qty: string;
            /** @description `product_price` × `qty`. */
            subtotal: string;
            /** @description The product's shipping cost × `qty`. */
            shipping_cost: string;
            /** @description Our fee: a share of `subtotal` + `shipping_cost` (4 % unless agreed otherwise), rounded half up. */
            order_fee: string;
            /** @description The exact sum of `subtotal`, `shipping_cost` and `order_fee`. */
            order_total: string;
            /** @description The amount that the cancelled and expired gifts of the order have returned to your credit. Zero if the order was not paid with your credit. Only with `include=details`. */
            refunded?: string;
        };
        /**
         * BrandingOptions
         * @description The branding of the gift pages. Paths begin with `/` and are relative to the server that you called.
         */
        BrandingOptions: {
            /** @description Path or URL of the logo. */
            branding_logo: string;
            /** @description Path or URL of the logo on the gift page. */
            branding_claim_logo: string;
            /** @description Hex colour. */
            primary_color: string;
            /** @description Hex colour. */
            secondary_color: string;
        };
        /**
         * ChosenProduct
         * @description A product, and a variation of it.
         */
        ChosenProduct: {
            /** @description Id of the product, as a string. */
            product_id: string;
            /** @description Id of the variation, as a string. Null for a `simple` product. */
            variation_id: string | null;
        };
        /**
         * SubOrder
         * @description One recipient's part of an order.
         */
        SubOrder: {
            /**
             * Format: int64
             * @description Identifies the sub-order.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /** @description The recipient. */
            recipient_details: components["schemas"]["RecipientDetails"];
            /** @description Null for an open gift, and for a gift of an order of POST /api/order that is not cancelled. `redeemed`: the recipient has accepted the gift. `cancelled`: the gift was cancelled or declined, or its order failed. `expired`: the recipient has not accepted the gift in time. */
            redemption_status: ("redeemed" | "cancelled" | "expired") | null;
            /** @description The product that this recipient gets. It differs from `product_offered` if the recipient chose another gift. */
            product_selected: components["schemas"]["ChosenProduct"];
            /** @description Your own id of the recipient. Null if there is none. In GET /api/order, only with `include=metadata`. */
            external_id?: string | null;
            /** @description The recipient's `metadata`. Empty if there is none. In GET /api/order, only with `include=metadata`. */
            metadata?: {
                [key: string]: string;
            };
            /** @description The recipient's thank-you note. Null if there is none. In GET /api/order, only with `include=thank_you`. */
            thank_you?: components["schemas"]["ThankYou"] | null;
            /** @description The e-mails to the recipient, oldest first. Only in GET /api/order with `include=emails`. */
            emails?: components["schemas"]["Email"][];
            /** @description The last day on which this gift can be accepted: that of the order, unless we have changed it for this gift. Null if it does not expire. In GET /api/order, only with `include=details`. */
            redeem_by?: string | null;
        };
        /**
         * Email
         * @description An e-mail to a recipient.
         */
        Email: {
            /**
             * @description `invitation`: the link. `reminder`: some days later. `last_days`: in the week before the gift expires. `shipped`: the parcel is on its way.
             * @enum {string}
             */
            kind: "invitation" | "reminder" | "last_days" | "shipped";
            /**
             * @description `scheduled`: not sent yet. `retry`: an attempt failed, and another one follows. `failed`: not sent. `sent`: sent. What the receiving server reports then: `deferred`, `delivered`, `rejected`, `bounced`; `complained`: the recipient has marked it as spam.
             * @enum {string}
             */
            status: "scheduled" | "retry" | "failed" | "sent" | "deferred" | "delivered" | "bounced" | "rejected" | "complained";
            /**
             * Format: date-time
             * @description When it was sent or attempted. For a `scheduled` e-mail, when it will be sent if nothing changes.
             */
            at: string;
            /** @description The class of a failure. Null if there is none. */
            reason: string | null;
        };
        /**
         * ThankYou
         * @description A recipient's thank-you note.
         */
        ThankYou: {
            /** @description The note, as plain text of at most 1,000 characters. May contain line breaks. Escape it before you show it, because the recipient can write any text. */
            message: string;
            /**
             * Format: date-time
             * @description When the recipient sent the note, in RFC 3339 format and UTC.
             */
            created_at: string;
        };
        /**
         * RecipientDetails
         * @description A recipient.
         */
        RecipientDetails: {
            /** @description The full name. */
            name: string;
            /** @description E-mail address. */
            email: string;
            /** @description Message to this recipient. May be empty. */
            email_message: string;
            /** @description Delivery address. After a redemption, the address that the recipient entered. */
            delivery_address: components["schemas"]["DeliveryAddress"];
            /** @description `NA` if there is none. */
            phone_number: string;
            /** @description Notes for the delivery. */
            delivery_notes: string | null;
            /**
             * Format: uri
             * @description The recipient's gift link. After a renewal, the new link. Only if `gift_order_method` is `api-giftlink`.
             */
            gift_url?: string;
            /** @description The e-mail address that the recipient entered for a digital gift. Null if the gift is sent to `email`. In GET /api/order, only with `include=delivery_email`. */
            delivery_email?: string | null;
            /** @description The recipient's `language`, as a BCP 47 tag in its usual form. Null if there is none. In GET /api/order, only with `include=details`. */
            language?: string | null;
        };
        /**
         * DeliveryAddress
         * @description A delivery address. Unknown fields are null.
         */
        DeliveryAddress: {
            /** @description Street and number. */
            address_line_1: string | null;
            /** @description Unit, floor or company. */
            address_line_2: string | null;
            /** @description Suburb, town or city. */
            suburb: string | null;
            /** @description State or region. */
            state: string | null;
            /** @description Postal code. Not needed if the country has no postal codes. */
            postcode_zipcode: string | null;
            /** @description Country, as written on the parcel. */
            country: string | null;
        };
        /**
         * GiftList
         * @description A page of gifts of one person.
         */
        GiftList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The gifts of this page. */
            gifts: components["schemas"]["Gift"][];
            /** @description The `cursor` of the next page. Null if this page is the last one. */
            next_cursor: string | null;
        };
        /**
         * Gift
         * @description A gift, with the order that it is part of.
         */
        Gift: {
            /**
             * Format: int64
             * @description Identifies the order.
             */
            order_id: number;
            /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
            order_number: string;
            /** @description Your own reference for the order. Null for orders of Regalo's online store. */
            order_ref_id: string | null;
            /** @description When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC. */
            order_date: string;
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /**
             * @description How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others in Regalo's online store.
             * @enum {string}
             */
            gift_order_method: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
            /** @description The recipient, as in GET /api/order with all parts except the e-mails. */
            recipient: components["schemas"]["SubOrder"];
        };
        /**
         * OrderList
         * @description A page of orders.
         */
        OrderList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The orders of this page. */
            orders: components["schemas"]["ListedOrder"][];
            /** @description The `cursor` of the next page. Null if this page is the last one. */
            next_cursor: string | null;
        };
        /**
         * ListedOrder
         * @description An order in a list. GET /api/order returns its recipients and further fields.
         */
        ListedOrder: {
            /**
             * Format: int64
             * @description Identifies the order.
             */
            order_id: number;
            /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
            order_number: string;
            /** @description Your own reference for the order. Null for orders of Regalo's online store. */
            order_ref_id: string | null;
            /** @description When the order was placed: `YYYY-MM-DD HH:MM`, 24 hours, UTC. */
            order_date: string;
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /**
             * @description How the order was placed: `api-purchase` by POST /api/order, `api-giftlink` by POST /api/gift-link, all others in Regalo's online store.
             * @enum {string}
             */
            gift_order_method: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
            /**
             * Format: date-time
             * @description When the order last changed, in RFC 3339 format and UTC: it was placed, paid, failed, cancelled or extended, a gift was redeemed, declined, cancelled or expired, a link was renewed, or a shipment changed.
             */
            updated_at: string;
            /** @description The total of the order, and the refunds. */
            order_totals: components["schemas"]["ListedOrderTotals"];
            /**
             * Format: int64
             * @description Number of recipients.
             */
            recipient_count: number;
            /**
             * Format: int64
             * @description Number of recipients who have redeemed their gift.
             */
            redeemed_count: number;
            /**
             * Format: int64
             * @description Number of recipients whose gift was cancelled.
             */
            cancelled_count: number;
            /**
             * Format: int64
             * @description Number of recipients whose gift expired.
             */
            expired_count: number;
            /** @description The last day on which the gifts can be accepted. Null if they do not expire. */
            redeem_by: string | null;
            /** @description The order's `metadata`. Empty if there is none. */
            metadata: {
                [key: string]: string;
            };
            /** @description The recipients, as in GET /api/order with all parts except the e-mails. Only with `expand=recipients`. */
            recipients?: components["schemas"]["SubOrder"][];
        };
        /**
         * ListedOrderTotals
         * @description The total of an order in a list, and its refunds.
         */
        ListedOrderTotals: {
            /** @description ISO 4217 code of the currency of both amounts. */
            currency: string;
            /** @description The costs of the order. They never change. */
            order_total: string;
            /** @description The amount that the cancelled and expired gifts of the order have returned to your credit. Zero if the order was not paid with your credit. */
            refunded: string;
        };
        /**
         * CancelledOrder
         * @description An order after a cancellation.
         */
        CancelledOrder: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id, number and reference of the order. */
            order_data: components["schemas"]["CancelledOrderData"];
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /** @description The total of the order, and the amount that was refunded for it. */
            order_totals: components["schemas"]["CancelledOrderTotals"];
            /** @description The gifts of `suborder_ids`, otherwise all gifts of the order, in ascending order of `suborder_id`. */
            recipients: components["schemas"]["CancelledGift"][];
        };
        /**
         * CancelledOrderData
         * @description Id, number and reference of an order.
         */
        CancelledOrderData: {
            /**
             * Format: int64
             * @description Identifies the order.
             */
            order_id: number;
            /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
            order_number: string;
            /** @description Your own reference for the order. Null for orders of Regalo's online store. */
            order_ref_id: string | null;
        };
        /**
         * CancelledOrderTotals
         * @description The total of an order and its refunds.
         */
        CancelledOrderTotals: {
            /** @description ISO 4217 code of the currency of both amounts. */
            currency: string;
            /** @description The costs of the order. They never change. */
            order_total: string;
            /** @description The amount that the cancelled and expired gifts of the order have returned to your credit. Zero if the order was not paid with your credit. */
            refunded: string;
        };
        /**
         * CancelledGift
         * @description A gift after a cancellation.
         */
        CancelledGift: {
            /**
             * Format: int64
             * @description Identifies the sub-order.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /** @description `cancelled`: this or an earlier request cancelled the gift, its recipient declined it, or its order failed. `expired`: the gift has expired. `redeemed`: the recipient has accepted it. Null for a shipped gift of an order of POST /api/order, and in cancelled orders of Regalo's online store. */
            redemption_status: ("redeemed" | "cancelled" | "expired") | null;
        };
        /**
         * Correction
         * @description A recipient after a correction.
         */
        Correction: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /** @description The recipient with the present data. */
            recipient: components["schemas"]["CorrectedRecipient"];
        };
        /**
         * CorrectedRecipient
         * @description A recipient with the present data.
         */
        CorrectedRecipient: {
            /**
             * Format: int64
             * @description Identifies the sub-order.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /** @description The recipient, as GET /api/order returns it with `include=delivery_email`. */
            recipient_details: components["schemas"]["RecipientDetails"];
        };
        /**
         * Renewal
         * @description The current link of a gift.
         */
        Renewal: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /** @description The recipient with the current link. */
            recipient: components["schemas"]["GiftLink"];
        };
        /**
         * Sending
         * @description An e-mail that will be sent.
         */
        Sending: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /**
             * Format: int64
             * @description Identifies the sub-order.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /** @description The address to which it is sent. */
            email: string;
            /**
             * Format: date-time
             * @description When it is sent.
             */
            send_at: string;
        };
        /**
         * ShipmentList
         * @description A page of shipments.
         */
        ShipmentList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The shipments of this page. */
            shipments: components["schemas"]["Shipment"][];
            /** @description The `cursor` of the next request. With `updated_from` it is always set, also on the last page: save it to read later changes. For an order, it is null on the last page. */
            next_cursor: string | null;
            /** @description True if there are more shipments now. Then read the next page at once. */
            has_more: boolean;
        };
        /**
         * Shipment
         * @description The shipment of a gift. Ids are numbers.
         */
        Shipment: {
            /**
             * Format: int64
             * @description Identifies the gift.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /**
             * Format: int64
             * @description Identifies the order.
             */
            order_id: number;
            /** @description Order number for people: `GO-` and at least five digits. The number after `GO-99999` is `GO-100000`. */
            order_number: string;
            /** @description Your own reference for the order. Null for orders of Regalo's online store. */
            order_ref_id: string | null;
            /** @description Your own id of the recipient. Null if there is none. */
            external_id: string | null;
            /**
             * @description `open`: the gift is being prepared. `shipped`: the parcel has left. `delivered`: the parcel has arrived. `sent`: a digital gift was sent.
             * @enum {string}
             */
            shipment_status: "open" | "shipped" | "delivered" | "sent";
            /** @description The company that carries the parcel. Null if it is not recorded. */
            carrier: string | null;
            /** @description The carrier's number of the parcel. Null if it is not recorded. */
            tracking_number: string | null;
            /** @description The carrier's page about the parcel, which begins with `https://`. Null if it is not recorded. */
            tracking_url: string | null;
            /** @description When the parcel was shipped or the digital gift was sent, in UTC. Null if `shipment_status` is `open`. */
            shipped_at: string | null;
            /** @description When the parcel was delivered, in UTC. Null if `shipment_status` is not `delivered`. */
            delivered_at: string | null;
            /** @description When the shipment last changed, in UTC. It is later than the times of all earlier changes of your shipments. Null if the gift was never shipped or sent. */
            updated_at: string | null;
        };
        /**
         * EventList
         * @description Events in ascending order of `sequence`.
         */
        EventList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The events. Empty if there are none after `after`. */
            events: components["schemas"]["Event"][];
            /**
             * Format: int64
             * @description The `sequence` of the last of these events. Send it as `after` in the next request. If the list is empty, it is the `after` of this request.
             */
            next_after: number;
            /** @description True if there are more events after these. Then read the next page at once. */
            has_more: boolean;
        };
        /**
         * Event
         * @description Something that happened to one of your orders, gifts or credit accounts. An event does not change, except for the tracking of a parcel and what the erasure of a recipient removes.
         */
        Event: {
            /**
             * Format: int64
             * @description The event's position in your feed. Your first event has 1, the next one 2, and so on. There is a gap only before a `data.restored`. 0 if `type` is `webhook.test`, because that event is not in the feed.
             */
            sequence: number;
            /**
             * @description What happened. `order.created`: an order was placed and is not paid yet. `order.paid`: an order was placed and paid with your credit, or a created order was paid. `order.failed`: the payment failed. `order.cancelled`: the order was cancelled, or its last gift ended without being accepted. `order.extended`: the last day to accept the gifts of the order changed. `gift.redeemed`: a recipient accepted a gift. `gift.thanked`: a recipient sent a thank-you note, which GET /api/order returns with `include=thank_you`. `gift.declined`: a recipient declined a gift, which is then cancelled. `gift.cancelled`: a gift was cancelled for another reason, and its order continues. `gift.extended`: the last day to accept a single gift changed. `gift.corrected`: the data of a recipient was corrected. `gift.renewed`: a gift got a new link. `gift.expiring`: a gift that has not been accepted expires soon. `gift.expired`: a gift expired. `gift.shipped`: a parcel was shipped. `gift.delivered`: a parcel was delivered. `gift.sent`: a digital gift was sent. `gift.reopened`: a shipment that was recorded by mistake is open again. `gift.email_sent`: an e-mail about a gift was sent. `gift.email_failed`: an e-mail was not sent, bounced, or was marked as spam. `credit.low`: your credit is below the amount of the alert. `data.restored`: our database was restored to an earlier moment, and the events after `last_sequence` that you have read are undone. `webhook.test`: a test of a webhook endpoint, which is not in the feed.
             * @enum {string}
             */
            type: "order.created" | "order.paid" | "order.failed" | "order.cancelled" | "order.extended" | "gift.redeemed" | "gift.thanked" | "gift.declined" | "gift.cancelled" | "gift.extended" | "gift.corrected" | "gift.renewed" | "gift.expiring" | "gift.expired" | "gift.shipped" | "gift.delivered" | "gift.sent" | "gift.reopened" | "gift.email_sent" | "gift.email_failed" | "credit.low" | "data.restored" | "webhook.test";
            /**
             * Format: date-time
             * @description When it happened, in UTC.
             */
            created_at: string;
            /** @description The order. Null if the event is not about an order. */
            order_id: number | null;
            /** @description Your own reference of the order. Null for orders of Regalo's online store, and if the event is not about an order. */
            order_ref_id: string | null;
            /** @description The sub-order. Null if the event is not about one gift. */
            suborder_id: number | null;
            /** @description Details. `type` determines which of its fields are present. */
            data: components["schemas"]["EventData"];
        };
        /**
         * EventData
         * @description Details of an event.
         */
        EventData: {
            /**
             * @description The order's status after the event. Only in events `order.*` except `order.extended`.
             * @enum {string}
             */
            order_status?: "failed" | "created" | "paid" | "cancieled";
            /**
             * Format: int64
             * @description Number of recipients of the order. Only in events `order.*` except `order.extended`.
             */
            recipient_count?: number;
            /** @description ISO 4217 code of the currency of all amounts. Only in events with amounts. */
            currency?: string;
            /** @description The order's total. Only in events `order.*` except `order.extended`. */
            order_total?: string;
            /** @description The last day on which the gifts can be accepted. Null if they do not expire. In `order.extended`, `gift.extended` and `gift.expiring`, and in `order.created` and `order.paid` if the order was placed with it. */
            redeem_by?: string | null;
            /**
             * Format: int64
             * @description Number of gifts that were cancelled with the order. 0 if its last gifts expired or were declined. Only in `order.failed` and `order.cancelled`.
             */
            cancelled_count?: number;
            /** @description The gifts that were cancelled with the order, in ascending order. They have no `gift.cancelled`. Only in `order.failed` and `order.cancelled`. */
            suborder_ids?: number[];
            /** @description The amount that this change returned to your credit. The refunds in all events of an order add up to the amount that was refunded for it. Only in `order.failed`, `order.cancelled`, `gift.declined`, `gift.cancelled` and `gift.expired`. */
            refund?: string;
            /**
             * @description The sub-order's status after the event. Only in `gift.redeemed`, `gift.declined`, `gift.cancelled` and `gift.expired`.
             * @enum {string}
             */
            redemption_status?: "redeemed" | "cancelled" | "expired";
            /**
             * @description The shipment's status after the event. Only in `gift.shipped`, `gift.delivered`, `gift.sent` and `gift.reopened`.
             * @enum {string}
             */
            shipment_status?: "open" | "shipped" | "delivered" | "sent";
            /** @description The company that carries the parcel. Null if it is not recorded. It is the present value, which may be corrected after the event. Only in `gift.shipped` and `gift.delivered`. */
            carrier?: string | null;
            /** @description The carrier's number of the parcel. Null if it is not recorded. It is the present value, as of `carrier`. */
            tracking_number?: string | null;
            /** @description The carrier's page about the parcel, which begins with `https://`. Null if it is not recorded. It is the present value, as of `carrier`. */
            tracking_url?: string | null;
            /**
             * Format: int64
             * @description The product that the recipient gets. Only in `gift.redeemed`.
             */
            product_id?: number;
            /** @description The variation that the recipient gets. Null for a `simple` product. Only in `gift.redeemed`. */
            variation_id?: number | null;
            /** @description The names of the fields that were corrected, as in POST /api/order/correct. GET /api/order returns their values. Only in `gift.corrected`. */
            corrected_fields?: string[];
            /**
             * @description The kind of the e-mail, as in GET /api/order. Only in `gift.email_sent` and `gift.email_failed`.
             * @enum {string}
             */
            email_kind?: "invitation" | "reminder" | "last_days" | "shipped";
            /** @description The class of the failure, such as `hard_bounce` or `suppressed`. Only in `gift.email_failed`. */
            email_failure?: string;
            /** @description Your balance when the event was created. Only in `credit.low`. */
            credit_balance?: string;
            /** @description The amount of the alert. Only in `credit.low`. */
            alert_below?: string;
            /**
             * Format: int64
             * @description The sequence of the last event that is still valid. 0 if none is. The sequences between it and this event are not used again. Only in `data.restored`.
             */
            last_sequence?: number;
            /** @description The order's `metadata`. Only in events of orders and gifts, if there is any. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Your own id of the recipient. Only in events of one gift, if there is one. */
            external_id?: string;
            /** @description The recipient's `metadata`. Only in events of one gift, if there is any. */
            recipient_metadata?: {
                [key: string]: string;
            };
        };
        /**
         * Webhook
         * @description A webhook endpoint.
         */
        Webhook: {
            /**
             * Format: int64
             * @description Identifies the endpoint.
             */
            webhook_id: number;
            /** @description The URL to which we send events, in its normal form. */
            url: string;
            /** @description Your description. Null if there is none. */
            description: string | null;
            /** @description The types of events that we send. Null means all types, also types that we add later. */
            event_types: ("order.created" | "order.paid" | "order.failed" | "order.cancelled" | "order.extended" | "gift.redeemed" | "gift.thanked" | "gift.declined" | "gift.cancelled" | "gift.extended" | "gift.corrected" | "gift.renewed" | "gift.expiring" | "gift.expired" | "gift.shipped" | "gift.delivered" | "gift.sent" | "gift.reopened" | "gift.email_sent" | "gift.email_failed" | "credit.low" | "data.restored")[] | null;
            /**
             * @description `enabled`: we send events. `disabled`: we do not.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Why the endpoint is disabled. `client`: you have disabled it. `operator`: we have disabled it. Write to us. `gone`: its response was 410. `failing`: all attempts have failed for 5 days. Null if it is enabled. */
            disabled_reason: ("client" | "operator" | "gone" | "failing") | null;
            /** @description When the first of the consecutive failed attempts was made, in UTC. Null if the last attempt succeeded or there was none. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was created, in UTC.
             */
            created_at: string;
            /** @description Until this time, deliveries also have a signature with the previous secret. Null if they have one signature. */
            previous_secret_until: string | null;
            /**
             * Format: int64
             * @description The `sequence` of the last event that we have sent or skipped because of `event_types`. The next event is the one after it.
             */
            position: number;
        };
        /**
         * WebhookWithSecret
         * @description A webhook endpoint with its secret.
         */
        WebhookWithSecret: {
            /**
             * Format: int64
             * @description Identifies the endpoint.
             */
            webhook_id: number;
            /** @description The URL to which we send events, in its normal form. */
            url: string;
            /** @description Your description. Null if there is none. */
            description: string | null;
            /** @description The types of events that we send. Null means all types, also types that we add later. */
            event_types: ("order.created" | "order.paid" | "order.failed" | "order.cancelled" | "order.extended" | "gift.redeemed" | "gift.thanked" | "gift.declined" | "gift.cancelled" | "gift.extended" | "gift.corrected" | "gift.renewed" | "gift.expiring" | "gift.expired" | "gift.shipped" | "gift.delivered" | "gift.sent" | "gift.reopened" | "gift.email_sent" | "gift.email_failed" | "credit.low" | "data.restored")[] | null;
            /**
             * @description `enabled`: we send events. `disabled`: we do not.
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /** @description Why the endpoint is disabled. `client`: you have disabled it. `operator`: we have disabled it. Write to us. `gone`: its response was 410. `failing`: all attempts have failed for 5 days. Null if it is enabled. */
            disabled_reason: ("client" | "operator" | "gone" | "failing") | null;
            /** @description When the first of the consecutive failed attempts was made, in UTC. Null if the last attempt succeeded or there was none. */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description When the endpoint was created, in UTC.
             */
            created_at: string;
            /** @description Until this time, deliveries also have a signature with the previous secret. Null if they have one signature. */
            previous_secret_until: string | null;
            /**
             * Format: int64
             * @description The `sequence` of the last event that we have sent or skipped because of `event_types`. The next event is the one after it.
             */
            position: number;
            /** @description The key of the signatures: `whsec_` and 32 bytes in base64. Store it like a password. Anyone who has it can send events to you in our name. */
            secret: string;
        };
        /**
         * WebhookList
         * @description All your webhook endpoints.
         */
        WebhookList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The endpoints, oldest first. Deleted ones are not included. */
            webhooks: components["schemas"]["Webhook"][];
        };
        /**
         * WebhookDeleted
         * @description The endpoint is deleted.
         */
        WebhookDeleted: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
        };
        /**
         * WebhookTest
         * @description The outcome of a test event.
         */
        WebhookTest: {
            /**
             * @description Always `success`, also if the endpoint did not accept the event.
             * @enum {string}
             */
            status: "success";
            /** @description True if the endpoint's response had a 2xx status. */
            delivered: boolean;
            /** @description HTTP status of the endpoint's response. Null if there was no response. */
            response_status: number | null;
            /**
             * Format: int64
             * @description Duration of the attempt in milliseconds.
             */
            duration_ms: number;
            /** @description The beginning of the response's body, with spaces for control characters, or the reason why there was no response. May be empty. */
            response_text: string;
        };
        /**
         * Delivery
         * @description The last attempt to send an event to an endpoint.
         */
        Delivery: {
            /**
             * Format: int64
             * @description The event's `sequence`.
             */
            sequence: number;
            /**
             * @description The event's `type`.
             * @enum {string}
             */
            type: "order.created" | "order.paid" | "order.failed" | "order.cancelled" | "order.extended" | "gift.redeemed" | "gift.thanked" | "gift.declined" | "gift.cancelled" | "gift.extended" | "gift.corrected" | "gift.renewed" | "gift.expiring" | "gift.expired" | "gift.shipped" | "gift.delivered" | "gift.sent" | "gift.reopened" | "gift.email_sent" | "gift.email_failed" | "credit.low" | "data.restored";
            /**
             * @description `pending`: there will be another attempt. `delivered`: the endpoint has accepted the event. `failed`: all attempts have failed, and there will be no other.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            /**
             * Format: int64
             * @description Number of attempts.
             */
            attempts: number;
            /** @description When the last attempt was made, in UTC. Null if there was none. */
            attempted_at: string | null;
            /** @description When the next attempt is due, in UTC. Null if `status` is not `pending`. */
            next_attempt_at: string | null;
            /** @description HTTP status of the response to the last attempt. Null if there was no response. */
            response_status: number | null;
            /** @description Duration of the last attempt in milliseconds. Null if there was none. */
            duration_ms: number | null;
            /** @description The beginning of the response's body, with spaces for control characters, or the reason why there was no response. Null if there was no attempt. */
            response_text: string | null;
        };
        /**
         * DeliveryList
         * @description A page of the delivery log, in descending order of `sequence`.
         */
        DeliveryList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The deliveries. */
            deliveries: components["schemas"]["Delivery"][];
            /** @description Send it as `before` to get older deliveries. Null if there are none. */
            next_before: number | null;
        };
        /**
         * Redelivery
         * @description Events will be sent again.
         */
        Redelivery: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The endpoint. Its `position` is before the first event of `since_sequence`, or before the next event of an earlier redelivery that is being sent. */
            webhook: components["schemas"]["Webhook"];
        };
        /**
         * CreditBalance
         * @description A credit balance.
         */
        CreditBalance: {
            /** @description The balance. 0 if there is no account in this currency. */
            credit_balance: number;
            /** @description ISO 4217 code of the balance's currency. */
            currency: string;
            /** @description The balance formatted for people, with the currency's symbol. */
            credit_balance_formatted: string;
        };
        /**
         * CreditBalanceList
         * @description The balances of all your accounts.
         */
        CreditBalanceList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description By currency. Empty if you have no credit account. */
            credit_balances: components["schemas"]["CreditBalance"][];
        };
        /**
         * CreditEntry
         * @description A change of your credit. An entry never changes.
         */
        CreditEntry: {
            /**
             * Format: int64
             * @description The number of the entry in its account, from 1 and without gaps.
             */
            sequence: number;
            /**
             * @description `order`: an order was paid. `refund`: gifts of an order were cancelled or expired. `top_up`: we added credit. `correction`: we took credit back.
             * @enum {string}
             */
            kind: "order" | "refund" | "top_up" | "correction";
            /** @description What was added to the credit. Negative if credit was used. */
            amount: string;
            /** @description The balance after the entry. */
            balance: string;
            /** @description The order. Null for `top_up` and `correction`. */
            order_id: number | null;
            /** @description Your reference of the order. Null if there is none. */
            order_ref_id: string | null;
            /** @description Our reference, such as an invoice. Null for `order` and `refund`. */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the entry was made, in UTC.
             */
            created_at: string;
        };
        /**
         * CreditEntryList
         * @description Entries of one account in ascending order of `sequence`.
         */
        CreditEntryList: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description ISO 4217 code of the account's currency. */
            currency: string;
            /** @description The entries. Empty if there are none after `after`. */
            credit_entries: components["schemas"]["CreditEntry"][];
            /**
             * Format: int64
             * @description The `sequence` of the last of these entries. Send it as `after` in the next request. If the list is empty, it is the `after` of this request.
             */
            next_after: number;
            /** @description True if there are more entries after these. */
            has_more: boolean;
        };
        /**
         * SandboxOrder
         * @description The state of an order.
         */
        SandboxOrder: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
        };
        /**
         * SandboxGiftEvent
         * @description A gift after an event, and the state of its order.
         */
        SandboxGiftEvent: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /**
             * Format: int64
             * @description Identifies the gift.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
        };
        /**
         * SandboxClock
         * @description Your clock after an advance.
         */
        SandboxClock: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /**
             * Format: int64
             * @description By how many seconds you have advanced it in total, since the last reset.
             */
            advanced_seconds: number;
            /**
             * Format: int64
             * @description The number of orders whose expiry or reminder was due, and was done.
             */
            due_orders: number;
        };
        /**
         * SandboxReset
         * @description What a reset has done.
         */
        SandboxReset: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /**
             * Format: int64
             * @description The number of orders that this request has removed.
             */
            removed_orders: number;
            /** @description False if orders are left. Then repeat the request. */
            complete: boolean;
        };
        /**
         * SandboxGift
         * @description The state of a gift and of its order.
         */
        SandboxGift: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /**
             * Format: int64
             * @description Identifies the gift.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /**
             * @description `redeemed` or `expired`.
             * @enum {string}
             */
            redemption_status: "redeemed" | "expired";
        };
        /**
         * SandboxShipment
         * @description The state of a shipment and of its order.
         */
        SandboxShipment: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description Id and number of the order. */
            order_data: components["schemas"]["PlacedOrderData"];
            /**
             * @description `created`: not paid yet. `paid`: paid. `failed`: the payment failed. `cancieled` (the API uses this spelling): the order was cancelled, or each of its gifts was cancelled or declined or has expired.
             * @enum {string}
             */
            order_status: "failed" | "created" | "paid" | "cancieled";
            /**
             * Format: int64
             * @description Identifies the gift.
             */
            suborder_id: number;
            /** @description The order's number, a hyphen and the recipient's position. */
            suborder_number: string;
            /**
             * @description `shipped` or `delivered` for a parcel, `sent` for a digital gift.
             * @enum {string}
             */
            shipment_status: "shipped" | "delivered" | "sent";
        };
        /**
         * SandboxEmails
         * @description The e-mails about a gift.
         */
        SandboxEmails: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The e-mails, oldest first. */
            emails: components["schemas"]["SandboxEmail"][];
        };
        /**
         * SandboxEmailReport
         * @description An e-mail after a report.
         */
        SandboxEmailReport: {
            /**
             * @description Always `success`.
             * @enum {string}
             */
            status: "success";
            /** @description The e-mail. */
            email: components["schemas"]["SandboxEmail"];
        };
        /**
         * SandboxEmail
         * @description An e-mail that was not sent, because the sandbox sends none.
         */
        SandboxEmail: {
            /**
             * @description `invitation`: the link. `reminder`: some days later. `last_days`: in the week before the gift expires. `shipped`: the parcel is on its way.
             * @enum {string}
             */
            kind: "invitation" | "reminder" | "last_days" | "shipped";
            /**
             * @description `scheduled`: not sent yet. `retry`: an attempt failed, and another one follows. `failed`: not sent. `sent`: sent. What the receiving server reports then: `deferred`, `delivered`, `rejected`, `bounced`; `complained`: the recipient has marked it as spam.
             * @enum {string}
             */
            status: "scheduled" | "retry" | "failed" | "sent" | "deferred" | "delivered" | "bounced" | "rejected" | "complained";
            /**
             * Format: date-time
             * @description When it was sent or attempted. For a `scheduled` e-mail, when it will be sent if nothing changes.
             */
            at: string;
            /** @description The class of a failure. Null if there is none. */
            reason: string | null;
            /** @description What would have been sent. Null after the erasure of the recipient. */
            message: components["schemas"]["SandboxMessage"] | null;
        };
        /**
         * SandboxMessage
         * @description The content of an e-mail.
         */
        SandboxMessage: {
            /** @description The recipient's address. */
            to: string;
            /** @description The name and the address of the sender. */
            from: components["schemas"]["SandboxSender"];
            /** @description The address that a reply goes to. */
            reply_to: string;
            /** @description The subject. */
            subject: string;
            /** @description The content as plain text. */
            text: string;
            /** @description The content as HTML. */
            html: string;
            /** @description Further headers. */
            headers: {
                [key: string]: string;
            };
        };
        /**
         * SandboxSender
         * @description The sender of an e-mail.
         */
        SandboxSender: {
            /** @description The sender's name. */
            name: string;
            /** @description The sender's address. */
            email: string;
        };
        /**
         * Error
         * @description Every error has this body.
         */
        Error: {
            /**
             * @description Always `error`.
             * @enum {string}
             */
            status: "error";
            /** @description The reason, for people. The text may change: use `code` in programs. */
            message: string;
            /**
             * @description The reason, for programs. Codes do not change.
             * @enum {string}
             */
            code: "invalid_json" | "product_id_required" | "validation_error" | "unauthorized" | "insufficient_credit" | "forbidden" | "not_found" | "method_not_allowed" | "out_of_stock" | "order_ref_conflict" | "not_cancellable" | "not_allowed_in_state" | "not_correctable" | "not_renewable" | "payload_too_large" | "unsupported_media_type" | "product_not_found" | "variation_not_found" | "variation_required" | "variation_not_allowed" | "currency_not_available" | "location_not_available" | "branding_not_available" | "too_many_requests" | "internal_error" | "service_unavailable";
            /** @description All invalid fields. Only if `code` is `validation_error`. */
            errors?: components["schemas"]["FieldError"][];
        };
        /**
         * FieldError
         * @description An invalid field, parameter or header.
         */
        FieldError: {
            /** @description Path of the field, such as `recipient_details[0].email`, or the name of the parameter or header. Unknown names are as you sent them. */
            field: string;
            /** @description The rule that the value breaks, such as `must be an e-mail address`. */
            message: string;
        };
    };
    responses: {
        /** @description `unauthorized`: The credentials in the three headers are missing, wrong, revoked, or for the other environment. */
        unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /** @description Names the three headers that every request needs. */
                "WWW-Authenticate": "ApiKey realm=\"Regalo\", headers=\"CLIENT-ID API-KEY API-PASSWORD\"";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `forbidden`: Your client is suspended, may not cancel orders through the API, or we have disabled the webhook endpoint that you want to enable. Write to us. */
        forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `too_many_requests`: You have sent more requests than your limit allows. Wait for the number of seconds in `Retry-After`. */
        too_many_requests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /** @description You have no requests left in this minute. Not set if the 429 is because of your network's limit, which counts requests with new or invalid credentials. */
                RateLimit?: "\"client\";r=0";
                /** @description Seconds to wait. */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `internal_error`: An unexpected error on our side. Send the same request again, as described under Retries and idempotency. */
        internal_error: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `service_unavailable`: The service is temporarily unavailable. Send the same request again after the number of seconds in `Retry-After`. */
        service_unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /** @description Seconds to wait. */
                "Retry-After": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifies your client.
         * @example demo
         */
        "CLIENT-ID": string;
        /**
         * @description First half of your secret.
         * @example demo-key
         */
        "API-KEY": string;
        /**
         * @description Second half of your secret.
         * @example demo-password
         */
        "API-PASSWORD": string;
        /**
         * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
         * @example any
         */
        "Regalo-Bookmark": string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request. Include it when you write to us about a response. */
        "X-Request-Id": string;
        /** @description Responses are for your client only. Shared caches must not store them. */
        "Cache-Control": "private, no-store" | "private, no-cache";
        /** @description Your rate limit: `q` requests in `w` seconds. Set on every response to a request with valid credentials. The number of remaining requests is not available. */
        "RateLimit-Policy": string;
        /** @description A bookmark for later reads. A read has it if the request has one. */
        "Regalo-Bookmark": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProducts: {
        parameters: {
            query?: {
                /**
                 * @description Products per page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Page number. A page past the end is empty.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Only products of this type. All products if the parameter is left out or blank.
                 * @example physical
                 */
                product_type?: "physical" | "digital";
            };
            header?: {
                /**
                 * @description The `ETag` of a page that you have. If the page has not changed, the response is 304.
                 * @example W/"1f0c3a5e7b9d2468ace013579bdf0246"
                 */
                "If-None-Match"?: string;
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Identifies the content of this page. Use it in `If-None-Match`. */
                    ETag: string;
                    /** @description The response depends on the encodings that the request accepts. */
                    Vary: "Accept-Encoding";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            /** @description The page that you have has not changed. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description Identifies the content of this page. Use it in `If-None-Match`. */
                    ETag: string;
                    /** @description The response depends on the encodings that the request accepts. */
                    Vary: "Accept-Encoding";
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    getProduct: {
        parameters: {
            query: {
                /**
                 * @description The product's id.
                 * @example 1007
                 */
                product_id: number;
            };
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /**
             * @description `product_id_required`: `product_id` is missing. It is checked before all other fields.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    quoteOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description The costs of the order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `product_id_required`: `product_id` is missing. It is checked before all other fields.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `product_not_found`: The product is not in your catalogue.
             *
             *     `variation_not_found`: `variation_id` is not a variation of the product.
             *
             *     `variation_required`: The product is `variable`. Set `variation_id` to one of its variations.
             *
             *     `variation_not_allowed`: The product is `simple`. Leave out `variation_id`.
             *
             *     `currency_not_available`: `currency` is not the `price_currency` of the product.
             *
             *     `location_not_available`: `base_location` is not in the product's `available_location`.
             *
             *     `branding_not_available`: `order_branding` is `company`, but your company profile has no branding.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: {
                /**
                 * @description The order's id.
                 * @example 42
                 */
                order_id?: number;
                /**
                 * @description The order's number.
                 * @example GO-00042
                 */
                order_number?: string;
                /**
                 * @description Your own reference for the order, exactly as you sent it.
                 * @example spring-2026-0001
                 */
                order_ref_id?: string;
                /**
                 * @description What the response also contains, separated by commas. `metadata`: `metadata` of the order, and `external_id` and `metadata` of each recipient. `thank_you`: the thank-you note of each recipient. `delivery_email`: the e-mail address that a recipient entered for a digital gift. `details`: `order_ref_id`, `redeem_by`, `updated_at`, `sender_name`, the refunds, and the `language` of each recipient.
                 * @example metadata,thank_you
                 */
                include?: string;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRequest"];
            };
        };
        responses: {
            /** @description The order is placed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The `order_status` of the order. `created`: it is not paid yet, and its gift links open a page that asks the recipient to come back later. The response to a repeated request has the present status, which may be some seconds old. */
                    "Regalo-Order-Status": "failed" | "created" | "paid" | "cancieled";
                    /** @description Set if an earlier request placed this order. The body is the same as in the response to that request. */
                    "Idempotent-Replayed"?: "true";
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedOrder"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `product_id_required`: `product_id` is missing. It is checked before all other fields.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            /** @description `insufficient_credit`: Your credit is less than the order's total. `message` contains both amounts. Add credit and send the same request again. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["forbidden"];
            /**
             * @description `out_of_stock`: The stock is less than the number of recipients. `message` contains the remaining stock.
             *
             *     `order_ref_conflict`: `order_ref_id` was already used for an order with different content, or at the other endpoint. Use a new `order_ref_id`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `product_not_found`: The product is not in your catalogue.
             *
             *     `variation_not_found`: `variation_id` is not a variation of the product.
             *
             *     `variation_required`: The product is `variable`. Set `variation_id` to one of its variations.
             *
             *     `variation_not_allowed`: The product is `simple`. Leave out `variation_id`.
             *
             *     `currency_not_available`: `currency` is not the `price_currency` of the product.
             *
             *     `location_not_available`: `base_location` is not in the product's `available_location`.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    placeGiftLinks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftLinkRequest"];
            };
        };
        responses: {
            /** @description The order is placed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The `order_status` of the order. `created`: it is not paid yet, and its gift links open a page that asks the recipient to come back later. The response to a repeated request has the present status, which may be some seconds old. */
                    "Regalo-Order-Status": "failed" | "created" | "paid" | "cancieled";
                    /** @description Set if an earlier request placed this order. The body is the same as in the response to that request. */
                    "Idempotent-Replayed"?: "true";
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacedGiftLinks"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `product_id_required`: `product_id` is missing. It is checked before all other fields.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            /** @description `insufficient_credit`: Your credit is less than the order's total. `message` contains both amounts. Add credit and send the same request again. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["forbidden"];
            /**
             * @description `out_of_stock`: The stock is less than the number of recipients. `message` contains the remaining stock.
             *
             *     `order_ref_conflict`: `order_ref_id` was already used for an order with different content, or at the other endpoint. Use a new `order_ref_id`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `product_not_found`: The product is not in your catalogue.
             *
             *     `variation_not_found`: `variation_id` is not a variation of the product.
             *
             *     `variation_required`: The product is `variable`. Set `variation_id` to one of its variations.
             *
             *     `variation_not_allowed`: The product is `simple`. Leave out `variation_id`.
             *
             *     `currency_not_available`: `currency` is not the `price_currency` of the product.
             *
             *     `location_not_available`: `base_location` is not in the product's `available_location`.
             *
             *     `branding_not_available`: `order_branding` is `company`, but your company profile has no branding.
             */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description `recipients`: each order also has its recipients. A page then ends with the order that brings them to 1,000 or more.
                 * @example recipients
                 */
                expand?: "recipients";
                /**
                 * @description Only orders with this status. `cancieled` is the API's spelling.
                 * @example paid
                 */
                order_status?: "failed" | "created" | "paid" | "cancieled";
                /**
                 * @description Only orders that were placed this way.
                 * @example api-giftlink
                 */
                gift_order_method?: "email" | "direct" | "link" | "api-purchase" | "api-giftlink";
                /**
                 * @description Only orders that were placed at this time or later: a day in UTC, or an RFC 3339 timestamp with `Z` or an offset. Write the `+` of an offset as `%2B`.
                 * @example 2026-09-01
                 */
                created_from?: string;
                /**
                 * @description Only orders that were placed before this time, in the same formats.
                 * @example 2026-10-01T00:00:00Z
                 */
                created_until?: string;
                /**
                 * @description `redeemed`: only orders with a gift that is redeemed. `cancelled`: only orders with a gift that is cancelled. `expired`: only orders with a gift that is expired. `unredeemed`: only orders with a gift that is neither redeemed, cancelled nor expired.
                 * @example unredeemed
                 */
                redemption_status?: "unredeemed" | "redeemed" | "cancelled" | "expired";
                /**
                 * @description Only orders whose `order_ref_id` starts with this text, compared exactly. The list is in ascending order of `order_ref_id`.
                 * @example spring-2026-
                 */
                order_ref_id_prefix?: string;
                /**
                 * @description Maximum number of orders on the page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the previous page, with the same filters. Leave it out for the first page.
                 * @example WzE3ODk2MDcwNDAwMDAsNDEsIiwsLCwsIl0
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                /**
                 * @description Your own id of the recipient.
                 * @example employee-1041
                 */
                external_id?: string;
                /**
                 * @description The e-mail address of the recipient.
                 * @example marisol.quintana@example.com
                 */
                email?: string;
                /**
                 * @description Maximum number of gifts on the page.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the previous page, with the same `external_id` or `email`. Leave it out for the first page.
                 * @example WzE3ODk2MDcwNDAwMDAsNDEsIiwsLCwsIl0
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of gifts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiftList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description The order or the gifts are cancelled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelledOrder"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_cancellable`: The order has failed or has no open gift, or a gift in `suborder_ids` is redeemed, shipped or sent. `message` contains the reason. Nothing was changed. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    correctRecipient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CorrectionRequest"];
            };
        };
        responses: {
            /** @description The recipient has the values of the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Correction"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_correctable`: The gift is shipped, sent, cancelled, declined or expired, its order has failed, or the data of its recipient was erased. `message` contains the reason. Nothing was changed. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    renewGiftLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenewalRequest"];
            };
        };
        responses: {
            /** @description The gift has the link in the response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Renewal"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_renewable`: The gift was cancelled or declined, has expired or its order has failed, the data of its recipient was erased, or the link was renewed too often. `message` contains the reason. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    sendGiftLink: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendRequest"];
            };
        };
        responses: {
            /** @description The e-mail will be sent. GET /api/order with `include=emails` shows what has become of it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sending"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listShipments: {
        parameters: {
            query?: {
                /**
                 * @description The order's id.
                 * @example 42
                 */
                order_id?: number;
                /**
                 * @description The order's number.
                 * @example GO-00042
                 */
                order_number?: string;
                /**
                 * @description Your own reference for the order, exactly as you sent it.
                 * @example spring-2026-0001
                 */
                order_ref_id?: string;
                /**
                 * @description Only shipments that changed at this time or later: a day in UTC, or an RFC 3339 timestamp with `Z` or an offset. Write the `+` of an offset as `%2B`. It stays the same in all requests of a list.
                 * @example 2026-09-01
                 */
                updated_from?: string;
                /**
                 * @description Maximum number of shipments on the page, at most 500.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the previous response to the same request. Leave it out for the first page.
                 * @example WzE3ODk5NjM5Mjk0ODAsNDIwMDEsIjE3ODgyMjA4MDAwMDAiXQ
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of shipments. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The `sequence` of the last event that you have. The default, 0, is the beginning of the feed.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description Maximum number of events in the response, at most 500.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events after `after`. The list is empty if there are none yet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query: {
                /**
                 * @description The endpoint's id.
                 * @example 1
                 */
                webhook_id: number;
            };
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    saveWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The endpoint and its secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelection"];
            };
        };
        responses: {
            /** @description The event was sent. `delivered` shows whether the endpoint accepted it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelection"];
            };
        };
        responses: {
            /** @description The endpoint and its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query: {
                /**
                 * @description The endpoint's id.
                 * @example 1
                 */
                webhook_id: number;
                /**
                 * @description Only deliveries with this status.
                 * @example failed
                 */
                status?: "pending" | "delivered" | "failed";
                /**
                 * @description Only deliveries of events before this sequence. All if it is left out.
                 * @example 918
                 */
                before?: number;
                /**
                 * @description Maximum number of deliveries in the response, at most 500.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the delivery log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliveryRequest"];
            };
        };
        responses: {
            /** @description The events will be sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redelivery"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelection"];
            };
        };
        responses: {
            /** @description The endpoint is disabled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelection"];
            };
        };
        responses: {
            /** @description The endpoint is enabled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookSelection"];
            };
        };
        responses: {
            /** @description The endpoint is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleted"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    getCreditBalance: {
        parameters: {
            query?: {
                /**
                 * @description ISO 4217 code. If it is left out, the currency is the default currency of your client.
                 * @example AUD
                 */
                currency?: string;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditBalance"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listCreditBalances: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditBalanceList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listCreditEntries: {
        parameters: {
            query?: {
                /**
                 * @description ISO 4217 code. If it is left out, the currency is the default currency of your client.
                 * @example AUD
                 */
                currency?: string;
                /**
                 * @description Returns the entries after this `sequence`.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description The maximum number of entries, at most 500.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description The bookmark of an earlier response, or `any`: the nearest replica answers (see Reads near you).
                 * @example any
                 */
                "Regalo-Bookmark"?: components["parameters"]["Regalo-Bookmark"];
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditEntryList"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    paySandboxOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderSelection"];
            };
        };
        responses: {
            /** @description The order is paid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOrder"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    failSandboxOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderSelection"];
            };
        };
        responses: {
            /** @description The order has failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxOrder"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    redeemSandboxGift: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxRedemptionRequest"];
            };
        };
        responses: {
            /** @description The gift is redeemed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxGift"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    expireSandboxGift: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxGiftRequest"];
            };
        };
        responses: {
            /** @description The gift has expired. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxGift"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    shipSandboxGift: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxShipmentRequest"];
            };
        };
        responses: {
            /** @description The gift is shipped or sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxShipment"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    deliverSandboxGift: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxGiftRequest"];
            };
        };
        responses: {
            /** @description The gift is delivered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxShipment"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    causeSandboxGiftEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxGiftEventRequest"];
            };
        };
        responses: {
            /** @description The event has happened. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxGiftEvent"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    listSandboxEmails: {
        parameters: {
            query: {
                /**
                 * @description The gift.
                 * @example 6003
                 */
                suborder_id: number;
            };
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The e-mails, oldest first. The list is empty if there are none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxEmails"];
                };
            };
            /** @description `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    reportSandboxEmail: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxEmailEventRequest"];
            };
        };
        responses: {
            /** @description The e-mail, with its status. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxEmailReport"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    addSandboxCredit: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxCreditRequest"];
            };
        };
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditBalance"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxClockRequest"];
            };
        };
        responses: {
            /** @description The total by which the clock was advanced. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_allowed_in_state`: The order or the gift is in a state that does not permit the change. `message` names the state. Only operations of the sandbox return it, for example when you pay a failed order. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Identifies your client.
                 * @example demo
                 */
                "CLIENT-ID"?: components["parameters"]["CLIENT-ID"];
                /**
                 * @description First half of your secret.
                 * @example demo-key
                 */
                "API-KEY"?: components["parameters"]["API-KEY"];
                /**
                 * @description Second half of your secret.
                 * @example demo-password
                 */
                "API-PASSWORD"?: components["parameters"]["API-PASSWORD"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxResetRequest"];
            };
        };
        responses: {
            /** @description The orders are removed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Regalo-Bookmark": components["headers"]["Regalo-Bookmark"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxReset"];
                };
            };
            /**
             * @description `invalid_json`: The body is not a JSON object.
             *
             *     `validation_error`: One or more fields are missing or invalid. `errors` lists all of them. Correct the request.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["unauthorized"];
            403: components["responses"]["forbidden"];
            /** @description `not_found`: You have no such product, order, gift, gift link or webhook endpoint, or the path does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 1 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: `Content-Type` is not `application/json`. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["too_many_requests"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["service_unavailable"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the message. It is the same when we send the message again, so it can be used to detect repetitions.
                 * @example evt_917_mu4tuzxc
                 */
                "webhook-id": string;
                /**
                 * @description When we sent this request, in seconds since 1970-01-01 UTC.
                 * @example 1789607101
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures, separated by spaces. Each one is `v1,` and the HMAC-SHA256 in base64. For 24 hours after a rotation of the secret there are two.
                 * @example v1,VYhAEb4X2fmEtwVLhUu1cI3Rjpcbk2PPIyOPNE2lQ/0=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The endpoint no longer exists. We disable it. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is delivered. The body is not used. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt has failed, and we may repeat it later. This includes redirects, which we do not follow. A `Retry-After` header delays the next attempts. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
