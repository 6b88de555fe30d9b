// Who acts: a person in the console, a merchant's key or client, an operator's command, or the service by itself.

export const ACTOR_KINDS = ['person', 'key', 'client', 'operator', 'service'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export type Actor = {
  readonly kind: ActorKind
  // The user, API key or client. Null for the service and for commands.
  readonly id: string | null
  // As people call them: a name, the key's name, the operator's account on the machine.
  readonly name: string | null
  readonly sessionId: string | null
  // Where the request came from, as far as it is known.
  readonly address: string | null
  readonly requestId: string | null
}

// What the service does by itself: workers, retries, retention.
export const SERVICE: Actor = Object.freeze({
  kind: 'service',
  id: null,
  name: null,
  sessionId: null,
  address: null,
  requestId: null,
})

export function operatorNamed(name: string | null): Actor {
  return { ...SERVICE, kind: 'operator', name }
}
