import { type OptionRow, optionRows } from './option-rows.ts'

/** What `storeport-conformance --help` says. */
export function help(): string {
  const rows = Object.entries<OptionRow>(optionRows).map(([name, { takes, value = '', meaning }]) => {
    const after = takes === 'nothing' ? '' : takes === 'file' ? ` [${value}]` : ` ${value}`
    return [`--${name}${after}`, meaning] as const
  })
  const width = Math.max(...rows.map(([option]) => option.length)) + 2
  return [
    'storeport-conformance: tells whether a shop serves the integration API as it should',
    '',
    '  storeport-conformance https://shop.example --key KEY --read-only',
    '  storeport-conformance https://shop.example --key KEY --customer EMAIL --cancelled EMAIL --neighbour EMAIL',
    '  storeport-conformance https://shop.example --key KEY --profile FILE --html report.html',
    '',
    ...rows.map(([option, meaning]) => `  ${option.padEnd(width)}${meaning}`),
    '',
    'Without an address, the one in STOREPORT_URL is checked. In brackets: what holds without the option.',
    'Without --read-only the test customers of the profile are changed: delays, swaps, adds, orders. Exit codes: 0 READY, 1 NOT READY,',
    '2 NOT CHECKED, 3 INCOMPLETE: nothing fails, but more must be given to try everything that is specified.',
    '',
  ].join('\n')
}
