// Examples of a reconciliation, for the documentation.

const NONE = { count: 0, amountInCents: 0 }

export const RECONCILIATION_EXAMPLE = {
  id: '019a5c50-7b1f-7c2a-9d4e-3f1b2a6c8d90',
  rail: 'BRE_B',
  day: '2026-11-14',
  run: 1,
  matchedIn: { count: 1_204, amountInCents: 6_020_000_000 },
  matchedOut: { count: 37, amountInCents: 181_500_000 },
  networkOnly: { count: 1, amountInCents: 5_000_000 },
  oursOnly: NONE,
  amountDiffers: NONE,
  traceDiffers: NONE,
  doubled: NONE,
  otherDay: NONE,
  unreadable: NONE,
  openFindings: 0,
  finishedAt: '2026-11-15T05:30:04.000Z',
}

export const RECONCILIATION_WITH_FINDINGS_EXAMPLE = {
  ...RECONCILIATION_EXAMPLE,
  findings: [
    {
      id: '019a5c50-7b20-7a11-8c3d-1f2e3d4c5b6a',
      kind: 'NETWORK_ONLY',
      state: 'RESOLVED',
      movement: 'credit',
      subjectId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
      networkId: 'PAY4F1C2B7A90D3',
      networkReference: 'PAZpcPntfHCqdTj8bKmyNkAGaXD57H3wqnU4_GypsjZA',
      networkAmountInCents: 5_000_000,
      bookedAmountInCents: null,
      times: 1,
      createdAt: '2026-11-15T05:30:04.000Z',
      resolvedAt: '2026-11-16T05:30:03.000Z',
    },
  ],
  pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
}
