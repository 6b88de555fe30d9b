// The account at the simulated Wompi. Nobody's secrets: the simulator listens on this machine only.

export const WOMPI = {
  publicKey: 'pub_test_recaudo1234567890',
  privateKey: 'prv_test_recaudo1234567890',
  eventsSecret: 'test_events_recaudo1234567890',
  integritySecret: 'test_integrity_recaudo1234567890',
} as const
