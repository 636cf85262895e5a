// The drawing on “How a request travels”: its colour is the page's own, so that it reads in light and dark.
import { useTheme } from 'storybook/theming';

/** One stop of the way: what happens, in a line or two, and how a request may end there. */
interface Stop {
  readonly title: string;
  readonly lines: readonly string[];
  readonly ends?: readonly string[];
}

const STOPS: readonly Stop[] = [
  { title: '1  Scope', lines: ['The caller starts it: at once it belongs', 'to the user who is signed in now.'], ends: ['any time, identity gone: IdentityChangedError'] },
  { title: '2  Wait', lines: ['until it is known who is signed in, and', 'until an expired or refused token is fresh.'], ends: ['no refresh to be had: RefreshUnavailableError', 'refresh refused: SessionExpiredError'] },
  { title: '3  Build', lines: ['address, getRequestInit, getHeaders:', 'anew from the arguments, at each try.'], ends: ['a param is missing: MissingParamError'] },
  { title: '4  Credential', lines: ['is read now. Is the scope still good?', 'Is the address one of the trusted origins?'], ends: ['another origin: UntrustedOriginError', 'not fit for a header: InvalidCredentialError'] },
  { title: '5  Send', lines: ['with the scope’s signal.'], ends: ['a redirect: RedirectRefusedError'] },
  { title: '6  Answer', lines: ['401, or a refused CSRF token: renew it once', 'for all, or take the newer one. Go to 3.', 'Second 401: the session ends.'], ends: ['no fresh credential: as in 2', 'a stream, the second time: UnreplayableBodyError', 'any other refusal: the server’s error'] },
  { title: '✓  Caller and store', lines: ['get the answer.'] },
];

const WIDTH = 360;
const BOX = { x: 30, width: 328 };
const PADDING = 10;
const LINE = 17;
const GAP = 22;
/** The stops between which a refused request goes round. */
const LOOP = { from: 5, to: 2 };

/** Where each stop stands, from top to bottom. */
const PLACED = STOPS.reduce<(Stop & { y: number; height: number; end: number })[]>((above, stop) => {
  const y = (above.at(-1)?.end ?? -GAP + 1) + GAP;
  const height = 2 * PADDING + LINE * (1 + stop.lines.length);
  return [...above, { ...stop, y, height, end: y + height + LINE * (stop.ends?.length ?? 0) + (stop.ends ? 6 : 0) }];
}, []);
const HEIGHT = (PLACED.at(-1)?.end ?? 0) + 1;

const middleOf = (index: number) => (PLACED[index]?.y ?? 0) + (PLACED[index]?.height ?? 0) / 2;

/** The way of one request, from its caller's start to the store, as “The same in words” below it has it. */
export function RequestJourney() {
  const { color } = useTheme();
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby="request-journey-title request-journey-description"
      style={{ display: 'block', width: '100%', maxWidth: 460, margin: '24px 0', color: color.defaultText }}
      fontFamily="'Nunito Sans', system-ui, sans-serif"
      fontSize={13}
      fill="currentColor"
    >
      <title id="request-journey-title">The way of a request</title>
      <desc id="request-journey-description">
        Six steps from top to bottom: scope, wait, build, credential, send, answer; then caller and store. From the answer an arrow leads back to build, for one more
        try with fresh credentials. Below a step stand the errors by which a request may end there. When the identity changes, it ends with an IdentityChangedError
        at any step.
      </desc>
      <defs>
        <marker id="request-journey-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8Z" fill="currentColor" />
        </marker>
      </defs>
      <g stroke="currentColor" strokeWidth={1.5} fill="none" markerEnd="url(#request-journey-arrow)">
        {PLACED.slice(1).map(({ title, y }, index) => (
          <path key={title} d={`M${BOX.x + 14} ${(PLACED[index]?.y ?? 0) + (PLACED[index]?.height ?? 0)} V${y - 1}`} />
        ))}
        <path d={`M${BOX.x} ${middleOf(LOOP.from)} H18 a10 10 0 0 1 -10 -10 V${middleOf(LOOP.to) + 10} a10 10 0 0 1 10 -10 H${BOX.x - 1}`} strokeDasharray="5 3" />
      </g>
      {PLACED.map(({ title, lines, ends = [], y, height }) => (
        <g key={title}>
          <rect x={BOX.x} y={y} width={BOX.width} height={height} rx={8} fill="currentColor" fillOpacity={0.06} stroke="currentColor" />
          <text x={BOX.x + 14} y={y + PADDING + 13} fontWeight="bold" fontSize={14} xmlSpace="preserve">
            {title}
          </text>
          {lines.map((line, index) => (
            <text key={line} x={BOX.x + 14} y={y + PADDING + 13 + LINE * (index + 1)}>
              {line}
            </text>
          ))}
          {ends.map((end, index) => (
            <text key={end} x={BOX.x + 30} y={y + height + LINE * (index + 1)} fontSize={12} fontStyle="italic">
              ✕ {end}
            </text>
          ))}
        </g>
      ))}
    </svg>
  );
}
