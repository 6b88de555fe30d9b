// Which door a request goes through: the wires of both networks, the pages of the bank and of the payer's app, the control.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Credentials, grantToken, tokenHolds } from './access-tokens.ts'
import { appPage } from './app-page.ts'
import { bankPage } from './bank-page.ts'
import * as breb from './breb.ts'
import { control } from './control.ts'
import { answerUnderFaults } from './fault-injection.ts'
import { type Answer, type Asked, failure, readRequest, send } from './http.ts'
import type { NetworkContext } from './network-context.ts'
import * as pse from './pse.ts'
import type { Network } from './records.ts'
import type { ScheduledTasks } from './scheduled-tasks.ts'

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createRoutes(
  context: NetworkContext,
  tasks: ScheduledTasks,
  credentials: Readonly<Record<Network, Credentials>>,
  publicUrl: string,
): Route {
  const bank: pse.Bank = { publicUrl, pageKey: credentials.pse.clientSecret }

  const answer = async (asked: Asked, response: ServerResponse): Promise<void> => {
    const [door, resource] = asked.segments
    if (door === 'breb' || door === 'pse') return await answerAsNetwork(door, asked, response)
    if (door === 'control')
      return send(response, await control(context, tasks, credentials.breb.clientSecret, asked))
    if (door === 'bank' && resource !== undefined) return send(response, bankPage(context, resource, asked))
    send(response, door === 'app' && resource === undefined ? appPage(context, asked) : noSuchPath)
  }

  const answerAsNetwork = async (network: Network, asked: Asked, response: ServerResponse) => {
    const own = credentials[network]
    const now = context.clock.unmoved()
    if (asked.segments.slice(1).join('/') === 'oauth/token')
      return send(response, grantToken(network, asked, own, now))
    if (!tokenHolds(network, asked.authorization, own, now)) return send(response, unauthorized)
    const act = operationOf(context, bank, network, asked)
    if (act === undefined) return send(response, noSuchPath)
    await answerUnderFaults(context, network, asked, act, response)
  }

  return async (request, response) => {
    try {
      const asked = await readRequest(request)
      tasks.catchUpIfDue()
      if (asked === undefined) send(response, unreadable)
      else await answer(asked, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else send(response, failure(500, 'SANDBOX_BROKE', String(error)))
    }
    // A question writes nothing down.
    if (request.method !== 'GET') tasks.catchUp()
  }
}

type Operation = () => Answer | Promise<Answer>

function operationOf(
  context: NetworkContext,
  bank: pse.Bank,
  network: Network,
  asked: Asked,
): Operation | undefined {
  const [, resource, reference = '', key] = asked.segments
  const { method, body, segments } = asked
  if (network === 'breb' && resource === 'keys' && method === 'GET' && segments.length === 4)
    return () => breb.getKey(context, reference, key ?? '')
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
