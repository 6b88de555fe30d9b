// The alert rules and the dashboard, against what running processes show on /metrics. A rule that names a metric, label or value
// that does not exist never fires, and nobody notices.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { FINDING_KINDS } from '../../src/core/ledger/reconciliation.ts'
import { guideOf } from '../guides/guide.ts'
import { dataDirectory, ROOT, start } from '../process/process.ts'
import { createDatabase } from '../world.ts'
import { readPromql } from './promql.ts'

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string }
}
type Panel = {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

const RULES = join(ROOT, 'deploy/prometheus/alerts.yaml')
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const { groups } = parseYaml(readFileSync(RULES, 'utf8')) as { groups: { name: string; rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(text('deploy/grafana/dashboard.json')) as {
  uid: string
  panels: Panel[]
  templating: { list: { name: string; query: unknown }[] }
}
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])
const expressions = [...rules, ...targets].map(({ expr }) => ({ expr, ...readPromql(expr) }))

// Prometheus adds these to everything that it reads, and makes `up` itself.
const OF_PROMETHEUS = ['job', 'instance']
const BUCKETS = /_(?:bucket|sum|count)$/

const source = text('src/api/http/metrics.ts')
const { paths } = JSON.parse(text('openapi.json')) as { paths: Record<string, object> }

// Which values a label may have: what the code counts by.
const VALUES: Readonly<Record<string, readonly string[]>> = {
  job: ['recaudo', '$job'],
  method: ['GET', 'POST', 'PATCH', 'DELETE'],
  status: ['201', '5..'],
  route: Object.keys(paths),
  kind: FINDING_KINDS,
  state: quotedAfter(/set\(\{ state: '(\w+)' \}/g),
  reason: quotedIn(/const REFUSALS = (\[[^\]]+\])/),
  result: quotedIn(/type NoticeResult =([^\n]*(?:\n {2}\|[^\n]*)+)/),
}

// How each expression ends, and for how long that must be so.
const FIRES: Readonly<Record<string, { when: string; waits?: string }>> = {
  RecaudoDown: { when: 'up{job="recaudo"} == 0', waits: '2m' },
  RecaudoGone: { when: 'absent(up{job="recaudo"} == 1)', waits: '2m' },
  RecaudoErrors: { when: ' > 0.01', waits: '5m' },
  RecaudoSlow: { when: ' > 0.5', waits: '10m' },
  RecaudoOverload: { when: ' > 0', waits: '5m' },
  RecaudoPoolExhausted: { when: '{state="waiting"} > 50', waits: '2m' },
  RecaudoBusyLoop: { when: ' > 0.25', waits: '10m' },
  RecaudoProcessesEnd: { when: ' > 3' },
  RecaudoProcessesMissing: {
    when: '(recaudo_processes{state="serving"}) < sum by (instance) (recaudo_processes{state="wanted"})',
    waits: '5m',
  },
  RecaudoRequestsNotLogged: { when: ' > 0' },
  RecaudoForgedNotices: { when: ' > 0' },
  RecaudoNoticesUnreadable: { when: ' > 0' },
  RecaudoNetworkSilent: {
    when: ' == 0 or absent(recaudo_rail_notices_total{result=~"stored|repeated|ignored"})) and on () sum(increase(recaudo_http_requests_total{route="/payins",method="POST",status="201"}[1h])) > 20',
  },
  RecaudoWebhooksFail: { when: ' > 0.05', waits: '30m' },
  RecaudoWebhooksLate: { when: ' > 60', waits: '5m' },
  RecaudoNotReconciled: { when: ' > 2 * 86400', waits: '1h' },
  RecaudoReconciliationFindings: { when: ' > 0' },
}

describe('the alert rules and the dashboard', () => {
  const dataDir = dataDirectory({ after })
  let shown: string
  before(async () => {
    const database = await createDatabase()
    const opened = new AsyncDisposableStack()
    opened.defer(database.drop)
    const owner = { after: (clean: () => void | Promise<void>) => opened.defer(clean) }
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      METRICS_TOKEN: 'a-token-of-metrics',
    }
    const read = async (url: string): Promise<string> => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } })
      assert.equal(answer.status, 200)
      return answer.text()
    }
    try {
      const server = await start(owner, { args: ['start', '--processes', '2'], env })
      shown = await read(`${server.baseUrl}/metrics`)
    } finally {
      await opened.disposeAsync()
    }
  })

  it('name only metrics that a running process shows', () => {
    const names = new Set([...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name]) => name))
    assert.ok(names.size > 20)
    const missing = expressions
      .flatMap(({ selectors }) => selectors.map(({ metric }) => metric))
      .filter((metric) => metric !== 'up' && !names.has(metric.replace(BUCKETS, '')) && !names.has(metric))
    assert.deepEqual(missing, [])
  })

  it('use ranges and quantiles as the kind of each metric allows', () => {
    const kinds = new Map(
      [...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
    )
    for (const { expr, selectors } of expressions)
      for (const { metric } of selectors) {
        const isCounted = new RegExp(`(?:rate|increase)\\(${metric}\\b`).test(expr)
        const kind = kinds.get(metric) ?? kinds.get(metric.replace(BUCKETS, ''))
        assert.equal(isCounted, kind === 'counter' || kind === 'histogram', `${metric} in ${expr}`)
      }
  })

  it('name only labels and values that the code counts by', () => {
    let checked = 0
    for (const { expr, selectors, grouped } of expressions) {
      for (const { metric, matchers } of selectors)
        for (const { label, value, isPattern } of matchers) {
          checked += 1
          assert.ok(labelsOf(metric).includes(label), `${metric} has no label ${label}`)
          for (const one of isPattern ? value.split('|') : [value])
            assert.ok(VALUES[label]?.includes(one), `${label} is never ${one}, in ${expr}`)
        }
      for (const { labels, metrics } of grouped)
        for (const label of labels)
          for (const metric of metrics)
            assert.ok(labelsOf(metric).includes(label), `${metric} has no label ${label}, in ${expr}`)
    }
    assert.ok(checked > 40, String(checked))
  })

  it('see what happens once: a process shows it as 0 before', () => {
    let checked = 0
    for (const { alert, expr } of rules)
      for (const { metric, matchers } of readPromql(expr).selectors)
        for (const { label, value } of matchers.filter(({ label }) => ['reason', 'result'].includes(label)))
          for (const one of alert === 'RecaudoNetworkSilent' ? [] : value.split('|')) {
            checked += 1
            assert.match(shown, new RegExp(`^${metric}\\{.*\\b${label}="${one}".*\\} 0$`, 'm'), alert)
          }
    assert.equal(checked, 5)
  })

  it('show each of our metrics on the dashboard', () => {
    const used = new Set(
      targets.flatMap(({ expr }) =>
        readPromql(expr).selectors.map(({ metric }) => metric.replace(BUCKETS, '')),
      ),
    )
    const ours = [...shown.matchAll(/^# TYPE (recaudo_\w+) /gm)].map(([, name = '']) => name)
    assert.deepEqual(
      ours.filter((name) => !used.has(name)),
      [],
    )
  })

  it('say how urgent an alert is, in words that name what it found', () => {
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length)
    for (const { alert, expr, labels, annotations, for: duration = '1m', ...others } of rules) {
      assert.match(alert, /^Recaudo[A-Z]\w+$/)
      assert.ok(['page', 'ticket'].includes(labels.severity), alert)
      assert.match(duration, /^\d+[mh]$/)
      assert.deepEqual(others, {}, 'nothing that Prometheus does not know')
      const kept = new Set(readPromql(expr).grouped.flatMap((one) => one.labels))
      for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) {
        const all = [...kept, ...readPromql(expr).selectors.flatMap(({ metric }) => labelsOf(metric))]
        assert.ok(kept.size > 0 ? kept.has(label) : all.includes(label), `${alert} has no ${label} to show`)
      }
    }
  })

  it('fire when something is wrong, and not when all is well', () => {
    for (const { alert, expr, labels, for: duration = '0m' } of rules) {
      const { when, waits } = FIRES[alert] ?? assert.fail(`${alert} is not listed here`)
      assert.ok(expr.endsWith(when), `${alert} fires when ${when}, not ${expr}`)
      assert.equal(duration, waits ?? '0m', alert)
      const minutes = Number.parseInt(duration, 10) * (duration.endsWith('h') ? 60 : 1)
      assert.ok(minutes <= (labels.severity === 'page' ? 10 : 60), `${alert} is told in time`)
    }
    assert.equal(Object.keys(FIRES).length, rules.length)
  })

  it('are all in the guide, which says what to do about each', () => {
    for (const language of ['en', 'es'] as const) {
      const named = [...guideOf('operating', language).prose.matchAll(/^\| `(Recaudo\w+)` \|/gm)]
      assert.deepEqual(named.map(([, alert]) => alert).sort(), rules.map(({ alert }) => alert).sort())
    }
  })

  it('fit on the dashboard side by side, each panel with an id of its own', () => {
    const { panels } = dashboard
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      assert.ok(gridPos.x + gridPos.w <= 24, title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          assert.ok(!taken.has(`${x},${y}`), `${title} covers another panel`)
          taken.add(`${x},${y}`)
        }
    }
    const variables = dashboard.templating.list.map(({ name }) => `$${name}`)
    assert.deepEqual(variables, ['$datasource', '$job'])
  })

  it('are rules to Prometheus itself', (t) => {
    try {
      execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      t.skip('promtool is not installed: the rules were read by our own reader only')
    }
  })
})

function labelsOf(metric: string): string[] {
  const name = metric.replace(BUCKETS, '')
  const ofMetric = source.split("name: '").find((part) => part.startsWith(`${name}',`)) ?? ''
  const [, known = ''] = /labelNames: \[([^\]]*)\]/.exec(ofMetric) ?? []
  const own = [...known.matchAll(/'(\w+)'/g)].map(([, label = '']) => label)
  return [...OF_PROMETHEUS, ...own, ...(metric.endsWith('_bucket') ? ['le'] : [])]
}

function quotedAfter(pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map(([, value = '']) => value)
}

function quotedIn(pattern: RegExp): string[] {
  const [, list = ''] = pattern.exec(source) ?? []
  return [...list.matchAll(/'(\w+)'/g)].map(([, value = '']) => value)
}
