// The units for systemd: what they run exists, systemd reads them without a complaint, and little of the machine is open to them.
// That the service can live with it is shown in image.test.ts, which runs it under the same filter of system calls.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { allowedSystemCalls, hasSystemdAnalyze, services, UNITS } from './units.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_EXPOSURE = 2
const OF_DEBIAN = '/usr/lib/systemd/system'

describe('the units for systemd', () => {
  const here = hasSystemdAnalyze()
  if (!here) process.stdout.write('The units were not given to systemd: systemd-analyze is not installed.\n')
  const root = here ? rootWithUnits() : undefined
  after(() => root !== undefined && rmSync(root, { recursive: true, force: true }))

  it('run commands that exist', () => {
    const help = JSON.parse(readFileSync(join(ROOT, 'src/operator/command-help.json'), 'utf8'))
    const known = Object.values(help as Record<string, object>).flatMap((commands) => Object.keys(commands))
    assert.ok(services.length >= 5)
    for (const { name, values } of services) {
      const [, command = ''] =
        /^\/usr\/bin\/node bin\/recaudo\.mjs ([a-z ]+?)(?: --\w+| \$\w+)*$/.exec(
          values('ExecStart')[0] ?? '',
        ) ?? []
      assert.ok(known.includes(command), `${name} runs ${command}`)
    }
    const timers = globSync('*.timer', { cwd: UNITS })
    for (const timer of timers)
      assert.ok(
        services.some(({ name }) => name === timer.replace('.timer', '.service')),
        timer,
      )
  })

  it('give the service longer to end than it takes, and signal it alone', () => {
    const { shutdownGraceMs } = readConfig({})
    const serving = services.filter(({ values }) => values('ExecStart')[0]?.includes(' start '))
    assert.deepEqual(
      serving.map(({ name }) => name),
      ['recaudo-api.service', 'recaudo-workers.service'],
    )
    for (const { name, values } of serving) {
      assert.ok(Number.parseInt(values('TimeoutStopSec')[0] ?? '', 10) * 1_000 > shutdownGraceMs, name)
      assert.deepEqual(values('KillMode'), ['mixed'], name)
      assert.deepEqual(values('Restart'), ['always'], name)
      // Otherwise systemd gives up on it while PostgreSQL is away.
      assert.deepEqual(values('StartLimitIntervalSec'), ['0'], name)
    }
  })

  it('take from every process what it does not need', () => {
    const taken = {
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      PrivateDevices: 'yes',
      UMask: '0077',
    }
    for (const { name, values } of services)
      for (const [key, value] of Object.entries(taken))
        assert.deepEqual(values(key), [value], `${key} of ${name}`)
  })

  it('prove the books and care for partitions every day, also after a day on which the machine was off', () => {
    for (const timer of globSync('*.timer', { cwd: UNITS })) {
      const lines = readFileSync(join(UNITS, timer), 'utf8').split('\n')
      const [, when = ''] = lines.find((line) => line.startsWith('OnCalendar='))?.split('=') ?? []
      assert.match(when, /^(daily|\*-\*-\* \d\d:\d\d:\d\d)$/, timer)
      assert.ok(lines.includes('Persistent=true'), timer)
    }
  })

  it('set only what the service reads, and settings that it accepts', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    // Node's, and what the unit itself puts on the command line.
    const OWN = ['NODE_COMPILE_CACHE', 'MIGRATE_FLAGS']
    for (const { values } of services) {
      const settings = Object.fromEntries(values('Environment').map((one) => one.split('=', 2)))
      for (const name of Object.keys(settings))
        assert.ok(OWN.includes(name) || readme.includes(`\`${name}\``), name)
      readConfig(settings)
    }
  })

  it('read the owner’s settings after the service’s: of several files the last wins', () => {
    for (const { name, values } of services) {
      const isOwners = ['recaudo-migrate.service', 'recaudo-partitions.service'].includes(name)
      assert.deepEqual(
        values('EnvironmentFile'),
        ['/etc/recaudo/settings.env', ...(isOwners ? ['-/etc/recaudo/owner.env'] : [])],
        name,
      )
    }
  })

  it('are read by systemd without a complaint', (t) => {
    if (root === undefined) return t.skip('systemd-analyze is missing')
    const names = globSync('*.{service,timer}', { cwd: UNITS })
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', `--root=${root}`, ...names], {
      encoding: 'utf8',
    })
    assert.deepEqual([verified.status, verified.stdout, verified.stderr], [0, '', ''])
  })

  for (const { name } of services)
    it(`leave little of the machine open to ${name}`, (t) => {
      if (root === undefined) return t.skip('systemd-analyze is missing')
      const printed = execFileSync(
        'systemd-analyze',
        ['security', '--offline=true', `--root=${root}`, '--no-pager', name],
        { encoding: 'utf8' },
      )
      const [, exposure = ''] = /exposure level for \S+: (\d+\.\d+) /.exec(printed) ?? []
      t.diagnostic(`exposure ${exposure}`)
      assert.ok(Number(exposure) > 0 && Number(exposure) <= MAX_EXPOSURE, printed)
    })

  it('filter system calls, and let none through that changes the machine', (t) => {
    if (root === undefined) return t.skip('systemd-analyze is missing')
    const allowed = allowedSystemCalls()
    assert.ok(allowed.includes('epoll_pwait') && allowed.includes('execve'), String(allowed.length))
    for (const call of ['mount', 'ptrace', 'reboot', 'setuid', 'init_module', 'bpf', 'setrlimit', 'swapon'])
      assert.ok(!allowed.includes(call), call)
  })
})

// As on a machine: our units, and the targets that they and every unit belong to.
function rootWithUnits(): string {
  const root = mkdtempSync(join(tmpdir(), 'recaudo-units-'))
  for (const folder of ['etc/systemd', `.${OF_DEBIAN}`, 'usr/bin', 'opt/recaudo'])
    mkdirSync(join(root, folder), { recursive: true })
  cpSync(UNITS, join(root, 'etc/systemd/system'), { recursive: true })
  for (const target of globSync('*.{target,slice}', { cwd: OF_DEBIAN, withFileTypes: true }))
    if (target.isFile()) copyFileSync(join(OF_DEBIAN, target.name), join(root, OF_DEBIAN, target.name))
  writeFileSync(join(root, 'usr/bin/node'), '', { mode: 0o755 })
  return root
}
