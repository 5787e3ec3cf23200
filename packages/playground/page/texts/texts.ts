import { emailTexts } from './email-texts.ts'
import { frameTexts } from './frame-texts.ts'
import { wireTexts } from './wire-texts.ts'

/** Every word that the page says, in one place. */
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
  copyFailed: 'Select the text and copy it',
  schemeButton: 'Dark scheme',

  /** What the page is; the second half depends on where the calls are. */
  whatItIs: 'The email as your customer sees it; ',
  callsBeside: 'beside it every call.',
  callsBehind: 'calls: “Behind it”.',

  waiting: {
    read: 'Still waiting for the shop…',
    stop: 'Stop waiting',
    click: 'Still waiting for the shop. Your click has not been answered yet.',
  },

  panels: {
    label: 'Panels',
    inbox: 'Inbox',
    email: 'Email',
    wire: 'Behind it',
  },

  start: {
    failedTitle: 'The playground cannot start',
    hostOffline: 'The host of this page does not answer. Is it still running?',
    hostRefused: (reason: string) => `The host refused: ${reason}`,
    shopTitle: 'The shop could not be asked what it offers',
    shopProblem: 'Until it answers, nothing can be shown.',
    slow: 'The host is asking the shop what it offers, and the shop takes its time.',
  },

  offline: 'The host of this page does not answer. Start it again, then repeat the click.',

  ...frameTexts,
  ...emailTexts,
  ...wireTexts,
} as const
