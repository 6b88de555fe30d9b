// Every page of settings.

import type { Route } from '../route.ts'
import { accountingRoutes } from './accounting.ts'
import { approvalRuleRoutes } from './approvals.ts'
import { balanceRoutes } from './balance.ts'
import { businessRoutes } from './business.ts'
import { connectionRoutes } from './connection-page.ts'
import { connectionListRoutes } from './connections.ts'
import { credentialNewRoutes } from './credential-new.ts'
import { credentialRoutes } from './credential-page.ts'
import { credentialListRoutes } from './credentials.ts'
import { settingsIndex } from './index-page.ts'
import { lookRoutes } from './look.ts'
import { notificationRoutes } from './notifications.ts'

export const settingsRoutes: readonly Route[] = [
  { method: 'GET', path: '/settings', scope: 'organization:read', show: settingsIndex },
  ...businessRoutes,
  ...lookRoutes,
  ...notificationRoutes,
  ...approvalRuleRoutes,
  ...balanceRoutes,
  ...accountingRoutes,
  ...connectionListRoutes,
  ...connectionRoutes,
  ...credentialListRoutes,
  ...credentialNewRoutes,
  ...credentialRoutes,
]
