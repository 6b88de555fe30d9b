// Every page about the team.

import type { Route } from '../route.ts'
import { inviteRoutes } from './invite.ts'
import { teamListRoutes } from './list.ts'
import { memberRoutes } from './member.ts'

export const teamRoutes: readonly Route[] = [...teamListRoutes, ...inviteRoutes, ...memberRoutes]
