// Whose address is counted, and which ranges a setting may name.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  addressRanges,
  countedAddress,
  forwardedClient,
  isThisMachine,
  parseAddressRange,
  plainAddress,
  reachableHost,
} from '../../src/core/network-address.ts'

describe('an address', () => {
  it('is read with port, brackets and zone, and an IPv4 address inside an IPv6 one by itself', () => {
    const read: [string, string | null][] = [
      ['203.0.113.7', '203.0.113.7'],
      [' 203.0.113.7 ', '203.0.113.7'],
      ['203.0.113.7:4711', '203.0.113.7'],
      ['2001:DB8::1', '2001:db8::1'],
      ['[2001:db8::1]', '2001:db8::1'],
      ['[2001:db8::1]:443', '2001:db8::1'],
      ['fe80::1%eth0', 'fe80::1'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::ffff:cb00:7107', '203.0.113.7'],
      ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
      ['::ffff:172.16.33.44', '172.16.33.44'],
      ['::ffff:ac10:212c', '172.16.33.44'],
      ['', null],
      ['unknown', null],
      ['_hidden', null],
      ['203.0.113.256', null],
      ['203.0.113', null],
      ['2001:db8::1::2', null],
      ['203.0.113.7/8', null],
    ]
    for (const [text, address] of read) assert.equal(plainAddress(text), address, text)
  })

  it('of IPv6 is counted by its /64, and of IPv4 by itself', () => {
    assert.equal(countedAddress('203.0.113.7'), '203.0.113.7')
    const network = countedAddress('2001:db8:1:2::1')
    assert.equal(network, '2001:db8:1:2::/64')
    for (const same of [
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:0db8:0001:0002:0:0:0:9',
      '2001:db8:1:2::1.2.3.4',
    ])
      assert.equal(countedAddress(same), network, same)
    for (const other of ['2001:db8:1:3::1', '2001:db8:1::2', '2001:db8::1:2', '::2001:db8:1:2'])
      assert.notEqual(countedAddress(other), network, other)
    assert.equal(countedAddress('::1'), '0:0:0:0::/64')
  })

  it('is the client’s where proxies that we know name it, however many there are', () => {
    const isProxy = addressRanges(['10.0.0.0/8', '2001:db8:ff::/48'])
    const named: [string, string | null][] = [
      ['203.0.113.7', '203.0.113.7'],
      ['203.0.113.7, 10.0.0.1', '203.0.113.7'],
      ['203.0.113.7, 10.0.0.1, 2001:db8:ff::1', '203.0.113.7'],
      // What stands to the left of a stranger was written by him.
      ['198.51.100.1, 203.0.113.7, 10.0.0.1', '203.0.113.7'],
      ['10.0.0.9, 203.0.113.7', '203.0.113.7'],
      ['2001:db8:1:2::3', '2001:db8:1:2::3'],
      ['', null],
      ['10.0.0.1', null],
      ['unknown', null],
      ['203.0.113.7, unknown, 10.0.0.1', null],
      [Array(51).fill('10.0.0.1').join(), null],
      [`203.0.113.7,${Array(50).fill('10.0.0.1').join()}`, '203.0.113.7'],
      [`203.0.113.7,${Array(1_000).fill('10.0.0.1').join()}`, '203.0.113.7'],
      // However much a stranger wrote himself, he is at the end.
      [`${'1.1.1.1, '.repeat(60)}203.0.113.7`, '203.0.113.7'],
      [`${'1.1.1.1,'.repeat(2_000)}203.0.113.7, 10.0.0.1`, '203.0.113.7'],
      [`${','.repeat(2_000)}203.0.113.7`, '203.0.113.7'],
      [',203.0.113.7,10.0.0.1', '203.0.113.7'],
      [',10.0.0.1', null],
    ]
    for (const [header, client] of named) assert.equal(forwardedClient(header, isProxy), client, header)
  })

  it('belongs to a range, or does not', () => {
    const has = addressRanges(['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32'])
    for (const inside of ['192.0.2.0', '192.0.2.255', '198.51.100.7', '2001:db8:ffff::1'])
      assert.equal(has(inside), true, inside)
    for (const outside of ['192.0.3.0', '198.51.100.8', '2001:db9::1', '::1'])
      assert.equal(has(outside), false, outside)
    assert.equal(addressRanges([])('127.0.0.1'), false)
  })

  it('and its prefix make a range, or nothing', () => {
    const ranges: [string, string | null][] = [
      ['10.0.0.0/8', '10.0.0.0/8'],
      ['10.0.0.1', '10.0.0.1/32'],
      ['::1', '::1/128'],
      ['2001:db8::/32', '2001:db8::/32'],
      ['10.0.0.0/33', null],
      ['2001:db8::/129', null],
      ['0.0.0.0/0', null],
      ['::/0', null],
      ['10.0.0/8', null],
      ['10.0.0.0/', null],
      ['10.0.0.0/-1', null],
      ['10.0.0.0/8 ', null],
      ['proxy.example', null],
      ['*', null],
      ['', null],
    ]
    for (const [text, range] of ranges) assert.equal(parseAddressRange(text), range, text)
  })
})

describe('a host', () => {
  it('that listens everywhere is reached on this machine, and one of IPv6 in brackets', () => {
    const reached = ['0.0.0.0', '::', '127.0.0.1', 'db.example', '::1', '2001:db8::1'].map(reachableHost)
    assert.deepEqual(reached, [
      ...['127.0.0.1', '127.0.0.1', '127.0.0.1', 'db.example'],
      ...['[::1]', '[2001:db8::1]'],
    ])
  })

  it('is this machine by its names and addresses, and by nothing that only begins so', () => {
    for (const here of ['localhost', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])
      assert.ok(isThisMachine(here), here)
    for (const there of [
      ...[
        '',
        'localhost.example',
        '127.0.0.1.example',
        '128.0.0.1',
        '127.1',
        '::2',
        '[::1',
        'xlocalhost',
        '1127.0.0.1',
      ],
      ...['127.0.0.1234', '0.0.0.0'],
    ])
      assert.equal(isThisMachine(there), false, there)
  })
})

describe('an address of IPv6', () => {
  it('is counted by its first four groups, however it is written', () => {
    const networks: [string, string][] = [
      ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
      ['1::8', '1:0:0:0::/64'],
      ['::3:4:5:6:7:8', '0:0:3:4::/64'],
      ['1:2:3::', '1:2:3:0::/64'],
      ['::', '0:0:0:0::/64'],
      ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
      ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4::/64'],
      ['0001:000a:00BC:0DEF::', '1:a:bc:def::/64'],
    ]
    for (const [address, network] of networks) assert.equal(countedAddress(address), network, address)
  })

  it('holds one of IPv4 only behind ten empty bytes and two full ones', () => {
    const held: [string, string][] = [
      ['::ffff:1.2.3.4', '1.2.3.4'],
      ['::ffff:0102:0304', '1.2.3.4'],
      ['0:0:0:0:0:ffff:ff01:00fe', '255.1.0.254'],
      ['::fffe:1.2.3.4', '::fffe:1.2.3.4'],
      ['1::ffff:1.2.3.4', '1::ffff:1.2.3.4'],
      ['::1:ffff:1.2.3.4', '::1:ffff:1.2.3.4'],
      ['::1.2.3.4', '::1.2.3.4'],
      ['::FFFF:1.2.3.4', '1.2.3.4'],
    ]
    for (const [address, plain] of held) assert.equal(plainAddress(address), plain, address)
  })
})
