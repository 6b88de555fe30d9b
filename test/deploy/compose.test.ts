// compose.yaml: its services get settings that production accepts, may do nothing that they need not, and fit together. No engine
// that runs it is here.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { readConfig } from '../../src/config.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const file = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')

type Service = {
  image: string
  command?: string[]
  build?: { context: string; dockerfile: string }
  environment: Record<string, string>
  env_file?: string
  volumes: string[]
  networks?: string[]
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  stop_signal?: string
  restart?: string
  network_mode?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
}
type Compose = {
  services: Record<string, Service>
  networks: Record<string, { ipam: { config: { subnet: string }[] } }>
  volumes: Record<string, null>
}

const compose = parseYaml(file('compose.yaml')) as Compose
const { services, networks, volumes } = compose
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined)
const chosen: Record<string, string> = {
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  SITE: 'pay.example.com',
}
// As compose does: a name in braces, with a message for when it is missing.
const filled = (value: string): string =>
  value.replaceAll(/\$\{(\w+):\?[^}]+\}/g, (_, name: string) => chosen[name] ?? assert.fail(name))

function example(): Record<string, string> {
  const lines = file('settings.example.env').split('\n')
  return Object.fromEntries(
    lines
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
  )
}
const secrets = {
  SECRETS_KEY: randomBytes(32).toString('hex'),
  METRICS_TOKEN: randomBytes(32).toString('hex'),
}

describe('compose.yaml', () => {
  it('has two processes for requests, workers, a migration, PostgreSQL and a proxy', () => {
    const commands = Object.fromEntries(ours.map(([name, { command = [] }]) => [name, command.join(' ')]))
    assert.deepEqual(commands, {
      migrate: 'migrate',
      'api-1': 'start --api',
      'api-2': 'start --api',
      workers: 'start --workers',
    })
    assert.deepEqual(Object.keys(services).slice(ours.length), ['postgres', 'proxy'])
  })

  it('gives each process settings that production accepts, with the database at a socket', () => {
    for (const [name, { environment, env_file }] of ours) {
      assert.equal(env_file, 'settings.env')
      const own = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]))
      const config = readConfig({ ...example(), ...secrets, ...own })
      assert.equal(config.environment, 'production', name)
      assert.equal(config.migrateOnStart, false, 'one of them migrates')
      assert.deepEqual(config.trustedProxies, [networks.inside?.ipam.config[0]?.subnet])
      assert.match(config.databaseUrl ?? '', /@\/recaudo\?host=\/run\/postgresql$/)
    }
  })

  it('lets our processes write nowhere and gain nothing, and ends them after they could finish', () => {
    const { shutdownGraceMs } = readConfig({})
    for (const [name, service] of ours) {
      assert.equal(service.read_only, true, name)
      assert.deepEqual(service.cap_drop, ['ALL'])
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'])
      assert.ok(Number.parseInt(service.stop_grace_period ?? '', 10) * 1_000 > shutdownGraceMs)
      assert.equal(service.depends_on?.postgres?.condition, 'service_healthy')
      assert.ok(existsSync(join(DEPLOY, service.build?.context ?? '', service.build?.dockerfile ?? '')))
    }
    assert.ok(services.postgres?.healthcheck)
  })

  it('lets the proxy write nowhere but for its certificates, and gain nothing but the ports of the web', () => {
    const { read_only, cap_drop, cap_add, security_opt, volumes: mounts = [] } = services.proxy ?? {}
    assert.deepEqual(
      { read_only, cap_drop, cap_add, security_opt },
      {
        read_only: true,
        cap_drop: ['ALL'],
        cap_add: ['NET_BIND_SERVICE'],
        security_opt: ['no-new-privileges:true'],
      },
    )
    assert.deepEqual(
      mounts.filter((mount) => !mount.endsWith(':ro')),
      ['certificates:/data'],
    )
  })

  it('keeps the database in a volume, asks for its password also at the socket, and ends it in order', () => {
    const { volumes: mounts = [], environment, stop_signal, stop_grace_period } = services.postgres ?? {}
    // Where the image of PostgreSQL 18 has its data: without the volume they would go with the container.
    assert.ok(mounts.includes('database:/var/lib/postgresql'), mounts.join())
    assert.equal(
      environment?.POSTGRES_INITDB_ARGS,
      '--auth-local=scram-sha-256 --auth-host=scram-sha-256',
      'whoever shares the socket could be any role otherwise',
    )
    assert.equal(stop_signal, 'SIGINT')
    assert.ok(Number.parseInt(stop_grace_period ?? '', 10) >= 60)
  })

  it('starts everything again that ends, and the migration until it was done', () => {
    for (const [name, { restart }] of Object.entries(services))
      assert.equal(restart, name === 'migrate' ? 'on-failure' : 'unless-stopped', name)
  })

  it('opens nothing to the outside but the proxy, and PostgreSQL to no network at all', () => {
    const open = Object.entries(services).filter(([, { ports = [] }]) => ports.length > 0)
    assert.deepEqual(
      open.map(([name, { ports }]) => [name, ports]),
      [['proxy', ['80:80', '443:443']]],
    )
    assert.equal(services.postgres?.network_mode, 'none')
    assert.deepEqual(services.postgres?.command, ['postgres', '-c', 'listen_addresses='])
    for (const [name, service] of Object.entries(services))
      for (const mount of service.volumes) {
        const [source = ''] = mount.split(':')
        assert.ok(
          source.startsWith('./') ? existsSync(join(DEPLOY, source)) : source in volumes,
          `${name}: ${mount}`,
        )
      }
  })

  it('has a proxy that asks exactly our processes whether they are ready', () => {
    const proxy = file('Caddyfile')
    const [, upstreams = ''] = /reverse_proxy ([^{]+) \{/.exec(proxy) ?? []
    const serving = ours.filter(([, { command = [] }]) => command.includes('--api'))
    assert.deepEqual(
      upstreams.split(' '),
      serving.map(([name]) => `${name}:4000`),
    )
    assert.match(proxy, /health_uri \/readyz/)
    assert.match(proxy, /respond \/metrics 404/)
    assert.match(proxy, /flush_interval -1/, 'events of a stream are passed on as they come')
  })
})

describe('settings.example.env', () => {
  it('starts production once its secrets are filled in, and not before', () => {
    assert.equal(readConfig({ ...example(), ...secrets }).environment, 'production')
    assert.throws(() => readConfig(example()), /SECRETS_KEY/)
  })
})
