// What `recaudo start` prints once everything is ready: the addresses, and in staging all that a first payin needs.

import type { Config } from '../config.ts'
import type { Demo } from './demo.ts'
import type { ServiceParts } from './prepare.ts'

export type Greeting = {
  config: Config
  parts: ServiceParts
  store: string
  demo: Demo | null
  tookMs: number
  // Of many processes, how they came to be so many.
  processes?: string
  // Databases of data directories that are gone.
  leftovers: number
}

export function printGreeting({ config, parts, store, demo, tookMs, processes, leftovers }: Greeting): void {
  const { publicUrl } = config
  const running = [
    parts.api && 'API',
    parts.workers && 'workers',
    parts.sandbox && config.sandbox && 'simulated networks',
  ]
    .filter(Boolean)
    .join(', ')
  const lines = [
    `Recaudo · ${config.environment} · ${running} ready in ${(tookMs / 1_000).toFixed(1)} s`,
    `  Store          ${store}`,
  ]
  if (leftovers > 0)
    lines.push(
      `  Left over      ${leftovers === 1 ? 'a database' : `${leftovers} databases`} of data directories that are gone; \`npx recaudo data clean\` lists and removes them`,
    )
  if (processes !== undefined) lines.push(`  Processes      ${processes}`)
  if (!parts.api && config.workersMetricsPort !== null)
    lines.push(`  Metrics        http://${config.host}:${config.workersMetricsPort}/metrics`)
  if (parts.api) {
    lines.push(`  API            ${publicUrl}`, `  Docs           ${publicUrl}/docs`)
    if (parts.sandbox && config.sandbox !== null)
      lines.push(
        `  Test app       http://127.0.0.1:${config.sandbox.port}/app pays a Bre-B key as a customer would`,
      )
    lines.push(...(demo === null ? [] : demoLines(publicUrl, demo)))
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function demoLines(publicUrl: string, { apiKey, client, consoleLink }: Demo): string[] {
  const console = `  Console        ${consoleLink}`
  if (apiKey === null)
    return [
      console,
      '  API key        made by an earlier start elsewhere; `npx recaudo key create` makes another',
    ]
  // A reference can be used only once, and the printed command should work after every start.
  const reference = `order-${Date.now()}`
  const body = `{"amountInCents":5000000,"currency":"COP","rail":"BRE_B","reference":"${reference}","breb":{"keyType":"SINGLE_USE"}}`
  return [
    console,
    `  API key        ${apiKey}`,
    ...(client === null ? [] : [`  Client id      ${client.id}`, `  Client secret  ${client.secret}`]),
    '  Commands       node bin/recaudo.mjs --help; `npx recaudo` is the same, but npx takes a moment to start',
    'A first payin:',
    `curl -s ${publicUrl}/payins -H 'x-api-key: ${apiKey}' -H 'content-type: application/json' -d '${body}'`,
  ]
}
