// The manifests for Kubernetes: of the right shape, and each names what another has. No cluster runs here, and kustomize neither.

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv } from 'ajv'
import { readConfig } from '../../src/config.ts'
import { SCHEMAS } from './manifest-schema.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy/kubernetes')
const NAME = 'app.kubernetes.io/name'
const COMPONENT = 'app.kubernetes.io/component'
const DEFAULT_READ_TIMEOUT_SECONDS = 1
// A busy machine starts it slowly.
const MIN_START_SECONDS = 60

type Labels = Record<string, string>
type Container = {
  args: string[]
  env?: { name: string; value: string }[]
  envFrom: { secretRef: { name: string; optional?: boolean } }[]
  ports?: { name: string; containerPort: number }[]
  volumeMounts: { name: string }[]
  lifecycle?: { preStop: { sleep: { seconds: number } } }
  startupProbe?: { httpGet: { path: string }; periodSeconds: number; failureThreshold: number }
  livenessProbe?: { httpGet: { path: string }; periodSeconds: number; timeoutSeconds: number }
  readinessProbe?: { httpGet: { path: string }; timeoutSeconds?: number }
}
type Pod = {
  metadata: { labels: Labels }
  spec: { containers: Container[]; volumes: { name: string }[]; terminationGracePeriodSeconds?: number }
}
type Manifest = {
  file: string
  kind: string
  metadata: { name: string; labels?: Labels }
  // biome-ignore lint/suspicious/noExplicitAny: its shape is what the schemas are for
  spec: any
  resources?: string[]
  components?: string[]
  replicas?: { name: string }[]
  images?: { name: string }[]
}

const manifests: Manifest[] = globSync('**/*.yaml', { cwd: FOLDER })
  .sort()
  .flatMap((file) =>
    readFileSync(join(FOLDER, file), 'utf8')
      .split(/^---$/m)
      .map((document) => ({ ...(parseYaml(document) as Manifest), file })),
  )
const of = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind)
const deployments = of('Deployment')
const podOf = ({ kind, spec }: Manifest): Pod =>
  kind === 'CronJob' ? spec.jobTemplate.spec.template : spec.template
const pods = [...deployments, ...of('Job'), ...of('CronJob')].map((one) => ({ one, pod: podOf(one) }))
const matches = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([label, value]) => labels[label] === value)
const selected = (selector: Labels): Pod[] =>
  pods.map(({ pod }) => pod).filter((pod) => matches(selector, pod.metadata.labels))

describe('the manifests for Kubernetes', () => {
  it('have the shape that each kind has, and no field that is not known', () => {
    const ajv = new Ajv({ allErrors: true, strict: false })
    for (const { file, ...manifest } of manifests) {
      const schema = SCHEMAS[manifest.kind] ?? assert.fail(`${file}: no schema for ${manifest.kind}`)
      const check = ajv.compile(schema)
      const problems = check(manifest)
        ? []
        : (check.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params }))
      assert.deepEqual(problems, [], file)
    }
    const kinds = new Set(manifests.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), Object.keys(SCHEMAS).sort(), 'each kind is there')
  })

  it('are refused by the same schemas with a misspelt or missing field', () => {
    const ajv = new Ajv({ strict: false })
    const check = ajv.compile(SCHEMAS.Deployment ?? {})
    const change = (from: string, to: string): unknown =>
      JSON.parse(JSON.stringify({ ...deployments[0], file: undefined }).replace(from, to))
    assert.equal(check(change('', '')), true)
    assert.equal(check(change('readinessProbe', 'readynessProbe')), false)
    assert.equal(check(change('"runAsNonRoot":true', '"runAsNonRoot":false')), false)
    assert.equal(check(change('"replicas":2,', '')), false)
  })

  it('are all listed in a kustomization, and what is listed exists', () => {
    const listed = [...of('Kustomization'), ...of('Component')].flatMap(
      ({ file, resources = [], components = [] }) =>
        [...resources, ...components].map((path) => join(dirname(file), path)),
    )
    for (const path of listed) assert.ok(existsSync(join(FOLDER, path)), path)
    const files = manifests.map(({ file }) => file).filter((file) => !file.endsWith('kustomization.yaml'))
    assert.deepEqual(
      files.filter((file) => !listed.includes(file)),
      [],
    )
    const names = deployments.map(({ metadata }) => metadata.name)
    for (const { replicas = [], images = [] } of of('Kustomization')) {
      for (const { name } of replicas) assert.ok(names.includes(name), name)
      for (const { name } of images) assert.equal(name, 'recaudo')
    }
  })

  it('select the pods that they mean', () => {
    for (const { metadata, spec } of deployments) {
      assert.ok(matches(spec.selector.matchLabels, spec.template.metadata.labels), metadata.name)
      assert.equal(selected(spec.selector.matchLabels).length, 1, `${metadata.name} takes no other's pods`)
    }
    for (const { metadata, spec } of of('PodDisruptionBudget')) {
      const [deployment, ...others] = deployments.filter(({ spec: { template } }) =>
        matches(spec.selector.matchLabels, template.metadata.labels),
      )
      assert.equal(others.length, 0)
      assert.ok(spec.minAvailable < deployment?.spec.replicas, `${metadata.name} lets a machine be emptied`)
    }
    for (const { metadata, spec } of of('NetworkPolicy'))
      assert.ok(selected(spec.podSelector.matchLabels ?? {}).length > 0, metadata.name)
    for (const { metadata, spec } of of('Service')) {
      const [pod, ...others] = selected(spec.selector)
      assert.equal(others.length, 0, metadata.name)
      const ports = pod?.spec.containers[0]?.ports ?? []
      for (const { targetPort } of spec.ports)
        assert.ok(
          ports.some(({ name }) => name === targetPort),
          metadata.name,
        )
    }
  })

  it('let nobody in but the gateway and Prometheus, and no pod out to a private address but for names and PostgreSQL', () => {
    const all = of('NetworkPolicy')
    const [nothing] = all.filter(({ spec }) => spec.ingress === undefined && spec.egress === undefined)
    assert.deepEqual(nothing?.spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
    const entering = all.flatMap(({ spec }) => spec.ingress ?? [])
    assert.deepEqual(
      entering.flatMap(({ from }) =>
        from.map((peer: { namespaceSelector: { matchLabels: Labels } }) =>
          Object.values(peer.namespaceSelector.matchLabels).join(),
        ),
      ),
      ['gateway', 'monitoring'],
    )
    const open = all.flatMap(({ spec }) => spec.egress ?? []).filter(({ to }) => to === undefined)
    assert.deepEqual(open, [{ ports: [{ port: 5432 }] }])
    const blocks = all
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to = [] }) => to)
      .flatMap(({ ipBlock }) => (ipBlock === undefined ? [] : [ipBlock]))
    assert.deepEqual(
      Object.fromEntries(blocks.map(({ cidr, except }) => [cidr, except.toSorted()])),
      {
        '0.0.0.0/0': [
          '10.0.0.0/8',
          '100.64.0.0/10',
          '127.0.0.0/8',
          '169.254.0.0/16',
          '172.16.0.0/12',
          '192.168.0.0/16',
        ],
        '::/0': ['fc00::/7', 'fe80::/10'],
      },
      'also those of carriers, of the machine itself and of the link',
    )
  })

  it('run commands that exist, with settings that the service reads', () => {
    const help = JSON.parse(readFileSync(join(ROOT, 'src/operator/command-help.json'), 'utf8'))
    const known = Object.values(help as Record<string, object>).flatMap((commands) => Object.keys(commands))
    assert.deepEqual(pods.map(({ pod }) => pod.spec.containers[0]?.args.join(' ')).sort(), [
      'ledger verify',
      'migrate',
      'partitions',
      'start --api',
      'start --workers',
    ])
    for (const { one, pod } of pods)
      for (const { args, env = [], envFrom, volumeMounts } of pod.spec.containers) {
        const command = args.filter((arg) => !arg.startsWith('--')).join(' ')
        assert.ok(known.includes(command), command)
        const secrets = envFrom.map(({ secretRef }) => secretRef.name)
        assert.equal(secrets[0], 'recaudo-settings')
        // What changes tables may have another address, which comes after the service's and wins.
        const isOwner = ['migrate', 'partitions'].includes(command)
        assert.deepEqual(secrets.slice(1), isOwner ? ['recaudo-owner'] : [], one.metadata.name)
        const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]))
        assert.equal(readConfig(settings).migrateOnStart, !command.startsWith('start'))
        assert.deepEqual(
          volumeMounts.map(({ name }) => name),
          pod.spec.volumes.map(({ name }) => name),
        )
      }
  })

  it('ask each process whether it is alive and ready, and give it the time that it takes to end', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
    const { shutdownGraceMs } = readConfig({})
    for (const { metadata, spec } of deployments) {
      const { containers, terminationGracePeriodSeconds = 30 } = (spec.template as Pod).spec
      const [container] = containers
      assert.equal(container?.livenessProbe?.httpGet.path, '/healthz', metadata.name)
      assert.equal(container?.readinessProbe?.httpGet.path, '/readyz', metadata.name)
      // It is not ready while a migration runs, which may take hours: nobody may kill it for that.
      const { httpGet, periodSeconds = 0, failureThreshold = 0 } = container?.startupProbe ?? {}
      assert.equal(httpGet?.path, '/healthz', metadata.name)
      assert.ok(periodSeconds * failureThreshold >= MIN_START_SECONDS, metadata.name)
      // Readiness asks the database, which may take its time.
      assert.ok((container?.readinessProbe?.timeoutSeconds ?? 0) > DEFAULT_READ_TIMEOUT_SECONDS)
      const pause = container?.lifecycle?.preStop.sleep.seconds ?? 0
      assert.ok(terminationGracePeriodSeconds * 1_000 > pause * 1_000 + shutdownGraceMs, metadata.name)
      const [port] = container?.ports ?? []
      for (const setting of ['PORT', 'WORKERS_METRICS_PORT'])
        assert.match(dockerfile, new RegExp(`^ +${setting}=${port?.containerPort} \\\\$`, 'm'))
    }
  })

  it('replace a process only when the next one is ready, and run a job by night once at a time', () => {
    for (const { metadata, spec } of deployments)
      assert.deepEqual(spec.strategy, { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }, metadata.name)
    for (const { metadata, spec } of of('CronJob')) {
      assert.equal(spec.concurrencyPolicy, 'Forbid', metadata.name)
      assert.match(spec.schedule, /^\d+ \d+ \* \* \*$/, `${metadata.name} runs every day`)
    }
  })

  it('show Prometheus every process under the name that the alert rules look for', () => {
    const [monitor] = of('ServiceMonitor')
    const { selector, endpoints, jobLabel } = monitor?.spec ?? {}
    const services = of('Service').filter(({ metadata }) =>
      matches(selector.matchLabels, metadata.labels ?? {}),
    )
    assert.deepEqual(
      services.map(({ metadata }) => metadata.labels?.[COMPONENT]),
      deployments.map(({ metadata }) => metadata.labels?.[COMPONENT]),
    )
    for (const { spec, metadata } of services) {
      assert.equal(jobLabel, NAME)
      assert.equal(metadata.labels?.[jobLabel], 'recaudo')
      assert.ok(spec.ports.some(({ name }: { name: string }) => name === endpoints[0].port))
    }
    assert.equal(endpoints[0].path, '/metrics')
    assert.equal(endpoints[0].authorization.credentials.key, 'METRICS_TOKEN')
    const [route] = of('HTTPRoute')
    const backend = route?.spec.rules[0].backendRefs[0]
    assert.equal(
      of('Service').find(({ metadata }) => metadata.name === backend.name)?.spec.ports[0].port,
      backend.port,
    )
  })
})
