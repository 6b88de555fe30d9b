// Who may give what away. Nobody grants scopes that they do not hold: whoever makes a key, replaces one or changes its limits must
// hold all that it may do. A credential with limits of its own grants nothing, because a second one would have them once more, and a
// person has none.

import type { Refusal } from '../refusal.ts'
import { type FieldProblem, refuse } from '../refusal.ts'
import { type CredentialLimits, limitsOf } from './limits.ts'
import { SCOPES, type Scope } from './scope.ts'

export type Granter = {
  readonly kind: 'key' | 'client' | 'person'
  readonly scopes: readonly Scope[] | null
  readonly limits: CredentialLimits
}

// What is lacking to grant these scopes. Null scopes are all there are and all that will be: a person with every scope has a
// role that gets the new ones too, and a credential has a list that does not.
export function scopesLacking(
  granter: Pick<Granter, 'kind' | 'scopes'>,
  wanted: readonly Scope[] | null,
): readonly Scope[] | 'later ones' {
  const { kind, scopes: held } = granter
  if (held === null) return []
  const lacking = (wanted ?? SCOPES).filter((scope) => !held.includes(scope))
  return lacking.length === 0 && wanted === null && kind !== 'person' ? 'later ones' : lacking
}

export function grantProblems(
  granter: Pick<Granter, 'kind' | 'scopes'>,
  wanted: readonly Scope[] | null,
): FieldProblem[] {
  const lacking = scopesLacking(granter, wanted)
  if (lacking.length === 0) return []
  const message =
    lacking === 'later ones'
      ? 'must be a list, because whoever grants it has a list too'
      : `must hold only what whoever grants it holds; not held: ${lacking.join(', ')}`
  return [{ path: '/scopes', code: 'SCOPE_NOT_HELD', message }]
}

// Undefined if the granter may replace or change a credential that may do this.
export function refuseGrant(
  granter: Pick<Granter, 'kind' | 'scopes'>,
  { scopes }: { readonly scopes: readonly Scope[] | null },
): Refusal | undefined {
  const lacking = scopesLacking(granter, scopes)
  if (lacking.length === 0) return undefined
  const what = lacking === 'later ones' ? 'every scope, later ones too' : lacking.join(', ')
  return refuse('SCOPE_NOT_HELD', `It may do what you may not: ${what}.`)
}

export function refuseLimited({ limits }: Pick<Granter, 'limits'>): Refusal | undefined {
  if (Object.values(limitsOf(limits)).every((limit) => limit === null)) return undefined
  return refuse(
    'CREDENTIAL_LIMITED',
    'This key or client has limits of its own, so it cannot make, roll or change others, nor give roles.',
  )
}
