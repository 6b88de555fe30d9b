// A lifecycle is a table: state → happening → next state. What the table does not hold cannot happen,
// and a state that is missing or misspelt does not compile.

export type Lifecycle<State extends string> = {
  readonly [S in State]: { readonly [happening: string]: State }
}

export function nextState<State extends string>(
  lifecycle: Lifecycle<State>,
  state: State,
  happening: string,
): State | undefined {
  const step = lifecycle[state]
  return Object.hasOwn(step, happening) ? step[happening] : undefined
}

export function isFinal<State extends string>(lifecycle: Lifecycle<State>, state: State): boolean {
  return Object.keys(lifecycle[state]).length === 0
}
