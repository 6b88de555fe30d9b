// The parts of settings, in the order of their navigation.

export const PARTS = ['business', 'look', 'connections', 'keys', 'webhooks', 'team', 'audit'] as const
export type Part = (typeof PARTS)[number]
