import type { ReactNode } from 'react'
import type { MessageName } from '../inbox/message-name.ts'
import { useShop } from '../shop/shop-context.ts'

/** The picture at the top of an email: drawings of our own, so that nothing is loaded from elsewhere; of coffee where the shop is the test shop. */
export function Scene({ message }: { message: MessageName }) {
  const { config } = useShop()
  return (
    <svg className={`scene scene-${message}`} viewBox="0 40 600 160" aria-hidden="true">
      <rect width="600" height="220" className="scene-wall" />
      <circle cx="300" cy="124" r="80" className="scene-sun" />
      <rect y="176" width="600" height="44" className="scene-table" />
      {scenes[message](config.data === 'test')}
    </svg>
  )
}

/** What stands on the table, with the things of a coffee shop or without. */
const scenes: Readonly<Record<MessageName, (hasCoffee: boolean) => ReactNode>> = {
  box: (hasCoffee) => (
    <>
      <Sprig x={152} y={178} />
      {hasCoffee && <Bag x={236} y={52} />}
      {hasCoffee && <Bag x={308} y={58} green />}
      <path d="M205 108h190v80a8 8 0 0 1-8 8H213a8 8 0 0 1-8-8z" fill="#c69a68" />
      <path d="M205 108h190v14H205z" fill="#a97d4e" />
      <path d="M205 108l-46 22 16 12 46-22zM395 108l46 22-16 12-46-22z" fill="#d8b384" />
      <path d="M288 108h24v88h-24z" fill="#e7cfa8" />
      {hasCoffee && <Cup x={462} y={140} />}
    </>
  ),
  shelf: (hasCoffee) =>
    hasCoffee ? (
      <>
        <Bag x={150} y={84} />
        <Bag x={232} y={84} green />
        <Grinder x={322} y={88} />
        <Cup x={430} y={140} />
        <Sprig x={108} y={178} />
      </>
    ) : (
      <>
        <Parcel x={150} width={96} height={92} />
        <Parcel x={258} width={64} height={58} />
        <Parcel x={334} width={82} height={108} />
        <Sprig x={108} y={178} />
      </>
    ),
  comeback: () => (
    <>
      <path d="M238 176v-74a62 62 0 0 1 124 0v74z" fill="#4d7c67" />
      <path d="M252 176v-72a48 48 0 0 1 96 0v72z" fill="#3c6553" />
      <circle cx="336" cy="140" r="4" fill="#f2c14e" />
      <path d="M274 108h52v6h-52z" fill="#4d7c67" />
      <path d="M220 176h160v8H220z" fill="#a97d4e" />
      <path d="M392 132h64v46h-64z" fill="#c69a68" />
      <path d="M392 132h64v10h-64z" fill="#a97d4e" />
      <path d="M418 132h12v46h-12z" fill="#e7cfa8" />
      <Sprig x={176} y={178} />
    </>
  ),
  choices: (hasCoffee) => (
    <>
      <path d="M206 78h188v104a8 8 0 0 1-8 8H214a8 8 0 0 1-8-8z" fill="#c69a68" />
      <path d="M222 44h156v108H222z" fill="#fffaf0" />
      <path d="M244 68h112v7H244zM244 86h112v7H244zM244 104h72v7h-72z" fill="#dcc8a6" />
      <path d="M206 78l94 66 94-66v104a8 8 0 0 1-8 8H214a8 8 0 0 1-8-8z" fill="#d8b384" />
      <path d="M208 188l92-62 92 62" fill="none" stroke="#a97d4e" strokeWidth="2" />
      <circle cx="300" cy="142" r="17" fill="#4d7c67" />
      <path d="M292 142l6 6 10-12" fill="none" stroke="#fffaf0" strokeWidth="3.500" strokeLinecap="round" />
      {hasCoffee && <Cup x={440} y={140} />}
      <Sprig x={160} y={178} />
    </>
  ),
}

function Parcel({ x, width, height }: { x: number; width: number; height: number }) {
  return (
    <g transform={`translate(${x} ${176 - height})`}>
      <rect width={width} height={height} rx="5" fill="#c69a68" />
      <rect width={width} height="14" rx="5" fill="#a97d4e" />
      <rect x={width / 2 - 8} width="16" height={height} fill="#e7cfa8" />
    </g>
  )
}

function Bag({ x, y, green = false }: { x: number; y: number; green?: boolean }) {
  const [paper, fold] = green ? ['#356b66', '#274f4c'] : ['#6b4530', '#4f3223']
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M8 14h48l6 72a6 6 0 0 1-6 6H8a6 6 0 0 1-6-6z" fill={paper} />
      <path d="M8 14L13 0h38l5 14z" fill={fold} />
      <path d="M15 36h34v34H15z" fill="#fbf6ee" />
      <path d="M32 42c8 0 12 5 12 11s-4 11-12 11-12-5-12-11 4-11 12-11z" fill="#8a5a3b" />
    </g>
  )
}

function Grinder({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M30 20V4h34" fill="none" stroke="#4a4038" strokeWidth="4" strokeLinecap="round" />
      <circle cx="66" cy="4" r="6" fill="#8a5a3b" />
      <path d="M10 30a20 14 0 0 1 40 0z" fill="#b9aea0" />
      <path d="M6 30h48v8H6z" fill="#4a4038" />
      <path d="M10 38h40l4 44a6 6 0 0 1-6 6H12a6 6 0 0 1-6-6z" fill="#a8774e" />
      <path d="M20 60h20v14H20z" fill="#8a5a3b" />
      <circle cx="30" cy="67" r="2.500" fill="#e7cfa8" />
    </g>
  )
}

function Cup({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M0 0h48v14a22 22 0 0 1-22 22h-4A22 22 0 0 1 0 14z" fill="#fffaf0" />
      <path d="M48 6h6a9 9 0 0 1 0 18h-8" fill="none" stroke="#fffaf0" strokeWidth="5" />
      <path
        d="M16-10c-7-10 6-14 0-24M31-10c-7-10 6-14 0-24"
        fill="none"
        className="scene-steam"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </g>
  )
}

function Sprig({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d="M0 0C-4-30-2-58 8-84" fill="none" stroke="#4d7c67" strokeWidth="3" strokeLinecap="round" />
      <path
        d="M-1-28c-22-2-30-16-30-28 18 2 30 12 30 28zM0-44c20-4 28-18 28-30-18 2-28 14-28 30zM4-66c-18-4-22-16-20-28 14 4 22 14 20 28z"
        fill="#6a9c84"
      />
    </g>
  )
}
