// The account at the simulated Wompi. Nobody's secrets: the simulator listens on this machine only. Names are those that a connection
// takes.

export const WOMPI = {
  publicKey: 'pub_test_recaudo1234567890',
  privateKey: 'prv_test_recaudo1234567890',
  eventsSecret: 'test_events_recaudo1234567890',
  integritySecret: 'test_integrity_recaudo1234567890',
} as const

/** Wompi's payouts have an account of their own, with other keys and another secret for events. */
export const WOMPI_PAYOUTS = {
  payoutsApiKey: 'payouts_test_recaudo1234567890',
  payoutsUserPrincipalId: '5b0f3c1e-7a52-4d0b-9c57-2f6d1a9e8b34',
  payoutsEventsSecret: 'test_payouts_events_recaudo1234567890',
  payoutsAccountId: 'c2a4d9f0-18b3-4e6a-8d75-90b1f7e3a652',
} as const
