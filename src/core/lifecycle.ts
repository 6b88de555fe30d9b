// A lifecycle is a table: state → action → next state. What the table does not hold cannot happen, and a missing or
// misspelt state does not compile.

export type Lifecycle<State extends string> = {
  readonly [S in State]: { readonly [action: string]: State }
}

export function nextState<State extends string>(
  lifecycle: Lifecycle<State>,
  state: State,
  action: string,
): State | undefined {
  const actions = lifecycle[state]
  return Object.hasOwn(actions, action) ? actions[action] : undefined
}

export function isFinal<State extends string>(lifecycle: Lifecycle<State>, state: State): boolean {
  return Object.keys(lifecycle[state]).length === 0
}
