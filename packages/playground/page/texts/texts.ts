import { emailTexts } from './email-texts.ts'
import { frameTexts } from './frame-texts.ts'
import { wireTexts } from './wire-texts.ts'

/** All strings that the page displays. */
export const texts = {
  title: 'Playground',
  product: 'StorePort',
  skip: 'Skip to the email',
  loading: 'Loading',
  retry: 'Try again',
  close: 'Close',
  dismiss: 'Dismiss (Escape)',
  cancel: 'Cancel',
  copied: 'Copied',
  copyFailed: 'Select and copy the text',
  schemeButton: 'Dark mode',

  /** Explanation of the page. The layout determines whether `callsBeside` or `callsBehind` follows. */
  whatItIs: 'The email as your customer sees it. ',
  requestsNote: 'Requests are on the right.',
  callsBehind: 'Requests: “Inspector”.',

  waiting: {
    read: 'Still waiting for the shop…',
    stop: 'Stop waiting',
    click: 'Still waiting for the shop. Your click has no response yet.',
  },

  panels: {
    label: 'Panels',
    inbox: 'Inbox',
    email: 'Email',
    wire: 'Inspector',
  },

  start: {
    failedTitle: 'The playground cannot start',
    hostOffline: 'The playground server is not responding. Is it still running?',
    hostRefused: (reason: string) => `The playground server returned an error: ${reason}`,
    shopTitle: 'Could not discover the shop’s endpoints',
    shopProblem: 'The playground can start when the shop responds.',
    slow: 'Discovering the shop’s endpoints. The shop is slow to respond.',
  },

  offline: 'The playground server is not responding. Start it again, then repeat the click.',

  ...frameTexts,
  ...emailTexts,
  ...wireTexts,
} as const
