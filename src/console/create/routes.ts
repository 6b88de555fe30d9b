// Every form that makes something.

import type { Route } from '../route.ts'
import { linkFormRoutes } from './link.ts'
import { pageFormRoutes } from './page.ts'
import { payinFormRoutes } from './payin.ts'
import { payoutFormRoutes } from './payout.ts'
import { provedRoutes } from './proved.ts'

export const createRoutes: readonly Route[] = [
  ...linkFormRoutes,
  ...pageFormRoutes,
  ...payinFormRoutes,
  ...payoutFormRoutes,
  ...provedRoutes,
]
