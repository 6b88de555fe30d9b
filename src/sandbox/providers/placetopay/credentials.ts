// The sites at the simulated PlacetoPay. Nobody's secrets: the simulator listens on this machine only.

export const PLACETOPAY = {
  login: 'recaudo-test-site',
  secretKey: 'recaudo-test-secret-1234567890',
} as const

// Sites that may not ask anything, with the code that each is told. All have the same secret. Which of 105 and 106 is about a site and
// which about a password is unpublished.
export const INACTIVE_SITES: Readonly<Record<string, number>> = {
  'recaudo-inactive-site': 104,
  'recaudo-expired-site': 105,
  'recaudo-expired-password': 106,
}
