// Applies the fault plan to a request of a simulated provider. Except for "unavailable", what was asked is done, whatever the caller
// receives.

import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sendUnder } from '../fault-injection.ts'
import { type Answer, send } from '../http.ts'
import type { Provider, ProviderContext, ProviderRequest } from './provider.ts'

export async function answerUnderFaults(
  provider: Provider,
  context: ProviderContext,
  request: ProviderRequest,
  response: ServerResponse,
  noSuchPath: Answer,
): Promise<void> {
  const { faults, storage } = context
  const act = (): Answer => storage.transaction(() => provider.answer(context, request)) ?? noSuchPath
  if (faults.areOff() || provider.isPage(request)) return send(response, act())
  const subject = provider.subjectOf(request)
  const step = `${provider.name} ${request.method} ${request.segments[1] ?? ''}`
  const nth = `${step} ${storage.countStep(subject, step)}`
  const fault = faults.ofRequest(subject, nth)
  if (faults.strikes('latency', subject, nth))
    await pause(faults.number(subject, `${nth} wait`) * faults.plan.latencyMs)
  if (fault === 'unavailable') return send(response, provider.broken(503))
  const answer = act()
  const broken = provider.broken(500)
  return sendUnder(fault, response, answer, { broken, unclear: () => broken })
}
