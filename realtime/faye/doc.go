// Package faye speaks the Bayeux protocol, version 1.0, in the form in which the program Faye
// (https://faye.jcoglan.com) speaks it, over HTTP and WebSockets.
// The package knows nothing of the site: [Config.Listen] gives channels their meaning.
//
// A client shakes hands, connects, and subscribes to channels. Messages for a client go out over
// the carrier that the client opened last: a WebSocket, or the POST or GET of a connect that waits
// for messages (long-polling, callback-polling).
//
// The package keeps these laws:
//
//   - Messages are never kept. A [Subscription] is asked for changes when a carrier can take
//     them, so a client that never fetches costs its subscriptions and nothing more, and
//     nothing is sent after the right to see a post was taken away.
//   - A handshake keeps nothing. A clientId names the process and the time of its handshake
//     and is signed, so every node of a site takes the clientId, and a flood of handshakes
//     takes no memory. A client is kept from its first connect or subscription on.
//   - If anything may have been lost, the client is ended: its carrier broke, its process was
//     restarted, it moved to another node, one of its subscriptions ended. The client is then
//     unknown (401, reconnect: handshake), shakes hands anew, and subscribes again, and each
//     subscription is told of the newest posts. If a right was taken away, the subscription
//     is refused then.
//   - A subscription that can't be answered now is not refused, because clients give up a
//     channel after a refusal: the request fails with 503, or the WebSocket is closed with
//     1013, and clients send the subscription again.
package faye
