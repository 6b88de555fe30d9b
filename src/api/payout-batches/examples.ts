// What batches of payouts look like, for the documentation.

const file =
  'bGxhdmU7dmFsb3I7cmVmZXJlbmNpYTtub21icmU7dGlwb19kb2N1bWVudG87ZG9jdW1lbnRvO2NvcnJlbwpAQU5BR09NRVo7MS4yNTAuMDAwO25vbWluYS0xO0FuYSBHw7NtZXo7Q0M7MTAwMDAwMDAwMTthbmFAZXhhbXBsZS5jb20K'

const batch = {
  id: '019a5c40-2b3c-7d4e-8f50-6a7b8c9d0e2a',
  status: 'CHECKING',
  fileName: 'nomina-noviembre.csv',
  version: 1,
  currency: 'COP',
  retryOf: null,
  rows: 1,
  rowsLeftOut: 0,
  rowsToSend: 1,
  totalInCents: 125_000_000,
  rowsWithErrors: 0,
  rowsWithWarnings: 0,
  keysPending: 1,
  keysUnchecked: 0,
  reservedInCents: 0,
  reservedFeesInCents: 0,
  payoutsQueued: 0,
  payoutsProcessing: 0,
  payoutsConfirmed: 0,
  payoutsFailed: 0,
  confirmedInCents: 0,
  createdAt: '2025-11-07T13:01:30.300Z',
  updatedAt: '2025-11-07T13:01:30.300Z',
  submittedAt: null,
  completedAt: null,
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
}

const submitted = {
  ...batch,
  status: 'PROCESSING',
  version: 3,
  keysPending: 0,
  reservedInCents: 125_000_000,
  payoutsQueued: 1,
  submittedAt: '2025-11-07T13:05:00.000Z',
  updatedAt: '2025-11-07T13:05:00.000Z',
}

const canceled = { ...batch, status: 'CANCELED', version: 2 }

const row = {
  row: 2,
  state: 'DRAFT',
  key: '@ANAGOMEZ',
  amount: '1.250.000',
  reference: 'nomina-1',
  name: 'Ana Gómez',
  idType: 'CC',
  idNumber: '1000000001',
  email: 'ana@example.com',
  amountInCents: 125_000_000,
  paidKey: '@ANAGOMEZ',
  keyFromBook: false,
  keyCheck: 'VERIFIED',
  problems: [{ column: 'name', code: 'HOLDER_NAME_MISMATCH', severity: 'warning', duplicateOf: null }],
  payoutId: null,
  payoutStatus: null,
  errorCode: null,
}

const pageInfo = { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null }

export const BATCH_EXAMPLES = {
  create: { fileName: 'nomina-noviembre.csv', file },
  batch,
  submitted,
  canceled,
  retry: { ...batch, retryOf: batch.id, id: '019a5c40-2b3c-7d4e-8f50-6a7b8c9d0e2b' },
  row,
  page: { data: [batch], pageInfo },
  rows: { data: [row], pageInfo },
}
