// Routes a request: to the wires of both networks, the pages of the bank and of the payer's app, or the control API.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Credentials, grantToken, isTokenValid } from './access-tokens.ts'
import { appPage } from './app-page.ts'
import { bankPage } from './bank-page.ts'
import * as breb from './breb.ts'
import { control } from './control.ts'
import { answerUnderFaults } from './fault-injection.ts'
import { type Answer, failure, type ParsedRequest, readRequest, send } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import * as pse from './pse.ts'
import type { Network } from './records.ts'
import type { ScheduledTasks } from './scheduled-tasks.ts'
import { getStatement } from './statements.ts'

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createRoutes(
  context: NetworkContext,
  tasks: ScheduledTasks,
  credentials: Readonly<Record<Network, Credentials>>,
  publicUrl: string,
): Route {
  const bank: pse.Bank = { publicUrl, pageKey: credentials.pse.clientSecret }

  const answer = async (request: ParsedRequest, response: ServerResponse): Promise<void> => {
    const [area, resource] = request.segments
    if (area === 'breb' || area === 'pse') return await answerAsNetwork(area, request, response)
    if (area === 'control')
      return send(response, await control(context, tasks, credentials.breb.clientSecret, request))
    if (area === 'bank' && resource !== undefined) return send(response, bankPage(context, resource, request))
    send(response, area === 'app' && resource === undefined ? appPage(context, request) : noSuchPath)
  }

  const answerAsNetwork = async (network: Network, request: ParsedRequest, response: ServerResponse) => {
    const own = credentials[network]
    const now = context.clock.realNow()
    if (request.segments.slice(1).join('/') === 'oauth/token')
      return send(response, grantToken(network, request, own, now))
    if (!isTokenValid(network, request.authorization, own, now)) return send(response, unauthorized)
    const act = operationOf(context, bank, network, request)
    if (act === undefined) return send(response, noSuchPath)
    await answerUnderFaults(context, network, request, act, response)
  }

  return async (incoming, response) => {
    try {
      const request = await readRequest(incoming)
      tasks.catchUpIfDue()
      if (request === undefined) send(response, unreadable)
      else await answer(request, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else send(response, failure(500, 'SANDBOX_BROKE', String(error)))
    }
    // A GET makes nothing due.
    if (incoming.method !== 'GET') tasks.catchUp()
  }
}

type Operation = () => Answer | Promise<Answer>

function operationOf(
  context: NetworkContext,
  bank: pse.Bank,
  network: Network,
  request: ParsedRequest,
): Operation | undefined {
  const [, resource, reference = '', key] = request.segments
  const { method, body, segments } = request
  if (network === 'breb' && resource === 'keys' && method === 'GET' && segments.length === 4)
    return () => breb.getKey(context, reference, key ?? '')
  if (resource === 'statements' && method === 'GET' && segments.length === 2)
    return () => getStatement(context, network, request.query)
  if (segments.length !== 3 || !REFERENCE.test(reference)) return undefined
  const operations: Readonly<Record<string, Operation>> =
    network === 'breb'
      ? {
          'PUT collections': () => breb.putCollection(context, reference, body),
          'GET collections': () => breb.getCollection(context, reference),
          'DELETE collections': () => breb.deleteCollection(context, reference),
          'PUT transfers': () => breb.putTransfer(context, reference, body),
          'GET transfers': () => breb.getTransfer(context, reference),
          'PUT returns': () => breb.putReturn(context, reference, body),
        }
      : {
          'PUT sessions': () => pse.putSession(context, bank, reference, body),
          'GET sessions': () => pse.getSession(context, bank, reference),
          'DELETE sessions': () => pse.deleteSession(context, bank, reference),
          'PUT returns': () => pse.putReturn(context, reference, body),
        }
  return operations[`${method} ${resource}`]
}

const REFERENCE = /^[A-Za-z0-9_-]{1,64}$/
const noSuchPath = failure(404, 'NO_SUCH_PATH', 'the wire knows no such path')
const unauthorized = failure(401, 'UNAUTHORIZED', 'the access token is missing, wrong or expired')
const unreadable = failure(400, 'INVALID_REQUEST', 'the request cannot be read')
