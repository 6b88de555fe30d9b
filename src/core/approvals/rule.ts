// How many people must approve something before it happens, by its kind and its amount. Without a rule nobody is asked.

export const APPROVAL_KINDS = [
  'payout',
  'payout-batch',
  'refund',
  'suspense-return',
  'connection',
  'credential',
  'approval-rule',
] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

// Kinds that move money. The others have no amount, and one tier.
export const KINDS_WITH_AMOUNT: readonly ApprovalKind[] = [
  'payout',
  'payout-batch',
  'refund',
  'suspense-return',
]

export const MAX_APPROVERS = 2
export type Approvers = 0 | 1 | 2

export type ApprovalTier = { readonly fromInCents: bigint; readonly approvers: Approvers }
// Tiers from the smallest amount to the largest. Each counts up to the next.
export type ApprovalRule = { readonly kind: ApprovalKind; readonly tiers: readonly ApprovalTier[] }

export const MAX_TIERS = 5

// An amount that nobody knows counts as the largest.
export function approversFor(
  rules: readonly ApprovalRule[],
  kind: ApprovalKind,
  amountInCents: bigint | null,
): Approvers {
  const tiers = rules.find((rule) => rule.kind === kind)?.tiers ?? []
  if (amountInCents === null) return Math.max(0, ...tiers.map(({ approvers }) => approvers)) as Approvers
  return tiers.findLast(({ fromInCents }) => fromInCents <= amountInCents)?.approvers ?? 0
}

// What is wrong with a set of rules, as the index of the rule and of its tier.
export type RuleProblem = { readonly rule: number; readonly tier?: number; readonly message: string }

export function ruleProblems(rules: readonly ApprovalRule[]): RuleProblem[] {
  return rules.flatMap(({ kind, tiers }, rule): RuleProblem[] => {
    if (rules.findIndex((one) => one.kind === kind) !== rule)
      return [{ rule, message: `names the kind ${kind}, which has a rule already` }]
    const hasAmount = KINDS_WITH_AMOUNT.includes(kind)
    return tiers.flatMap(({ fromInCents }, tier): RuleProblem[] => {
      if (!hasAmount && (fromInCents !== 0n || tier > 0))
        return [{ rule, tier, message: `must be the only tier, from 0: the kind ${kind} has no amount` }]
      const before = tiers[tier - 1]
      return before === undefined || before.fromInCents < fromInCents
        ? []
        : [{ rule, tier, message: 'must begin at a larger amount than the tier before it' }]
    })
  })
}

// The rule that asks for the most people, of whom there must be as many: a rule that nobody can meet would stop everything of its
// kind. A change of the rules is made by one who may not approve it themselves, so it takes one more.
export function peopleNeeded(rules: readonly ApprovalRule[]): number {
  const asked = rules.map(({ kind, tiers }) => {
    const most = Math.max(0, ...tiers.map(({ approvers }) => approvers))
    return most > 0 && kind === 'approval-rule' ? most + 1 : most
  })
  return Math.max(0, ...asked)
}
