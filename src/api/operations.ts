// Every merchant operation, in the order the documentation shows them.

import type { Operation } from './operation.ts'
import { changeOrganizationOperation, getOrganizationOperation } from './organization.ts'
import {
  cancelPayinOperation,
  createPayinOperation,
  getPayinOperation,
  listPayinsOperation,
} from './payins.ts'
import { listPseBanksOperation } from './pse-banks.ts'

export const OPERATIONS: readonly Operation[] = [
  createPayinOperation,
  listPayinsOperation,
  getPayinOperation,
  cancelPayinOperation,
  listPseBanksOperation,
  getOrganizationOperation,
  changeOrganizationOperation,
]
