import { toExpress } from '@storeport/express'
import express4 from 'express-4'
import express5 from 'express'
import { listening } from '@storeport/testing/listen'
import type { MountKind } from '@storeport/testing/stores/mount-kind'

/** The merchant's own HTTP server parses the requests before StorePort receives them. */
const unsupported = ['http-parser'] as const

export const express5Mount: MountKind = {
  start: (integration) => listening(express5().use(toExpress(integration))),
  unsupported,
}

export const express4Mount: MountKind = {
  start: (integration) => listening(express4().use(toExpress(integration))),
  unsupported,
}

/** Mounts the API in a separate router under a path prefix. */
export const expressPrefixMount: MountKind = {
  start: (integration) => {
    const shop = express5.Router().use(toExpress(integration))
    return listening(express5().use('/shop/api', shop), '/shop/api')
  },
  unsupported,
}

/** Mounts the API after common body parsers, on Express 5. */
export const express5AfterParsersMount: MountKind = {
  start: (integration) =>
    listening(express5().use(express5.json(), express5.urlencoded(), express5.text(), toExpress(integration))),
  unsupported,
}

/** Mounts the API after common body parsers, on Express 4. */
export const express4AfterParsersMount: MountKind = {
  start: (integration) =>
    listening(
      express4().use(express4.json(), express4.urlencoded({ extended: true }), express4.text(), toExpress(integration)),
    ),
  unsupported,
}
