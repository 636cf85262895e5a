// The drawing on “How a request travels”: it has the text colour of the page, so it is legible in the light and in the dark theme.
import { useTheme } from 'storybook/theming';

/** One step: what happens, in two or three lines, and the errors by which a request can end there. */
interface Step {
  readonly title: string;
  readonly lines: readonly string[];
  readonly ends?: readonly string[];
}

const STEPS: readonly Step[] = [
  {
    title: '1  Scope',
    lines: ['Your code starts the request: it belongs', 'to the user who is signed in now.'],
    ends: ['identity ended, any step: IdentityChangedError'],
  },
  {
    title: '2  Wait',
    lines: [
      'For the check for an existing session, and',
      'for the refresh of a token that has expired',
      'or was refused.',
    ],
    ends: ['refresh unavailable: RefreshUnavailableError', 'refresh refused: SessionExpiredError'],
  },
  {
    title: '3  Build',
    lines: ['Address, getRequestInit, getHeaders: built', 'from the arguments at each attempt.'],
    ends: ['missing param: MissingParamError'],
  },
  {
    title: '4  Credential',
    lines: ['Read now. Is the scope still valid?', 'Does the address have a trusted origin?'],
    ends: ['another origin: UntrustedOriginError', 'not valid in a header: InvalidCredentialError'],
  },
  { title: '5  Send', lines: ['With the abort signal of the scope.'], ends: ['redirect: RedirectRefusedError'] },
  {
    title: '6  Answer',
    lines: [
      '401, or a refused CSRF token: one refresh',
      'for all, or take the newer one. Then step 3.',
      'Second 401: the session ends.',
    ],
    ends: [
      'refresh failed: as in 2',
      'stream, second attempt: UnreplayableBodyError',
      'other refusal: the server’s error',
    ],
  },
  { title: '✓  Caller and store', lines: ['They get the answer.'] },
];

const WIDTH = 360;
const BOX = { x: 30, width: 328 };
const PADDING = 10;
const LINE = 17;
const GAP = 22;
/** A refused request goes from one of these steps back to the other. */
const LOOP = { from: 5, to: 2 };

/** The steps with their positions, from top to bottom. */
const PLACED = STEPS.reduce<(Step & { y: number; height: number; end: number })[]>((above, step) => {
  const y = (above.at(-1)?.end ?? -GAP + 1) + GAP;
  const height = 2 * PADDING + LINE * (1 + step.lines.length);
  return [...above, { ...step, y, height, end: y + height + LINE * (step.ends?.length ?? 0) + (step.ends ? 6 : 0) }];
}, []);
const HEIGHT = (PLACED.at(-1)?.end ?? 0) + 1;

const middleOf = (index: number) => (PLACED[index]?.y ?? 0) + (PLACED[index]?.height ?? 0) / 2;

/** The way of one request, from the call to the store. “Step by step” on the page says the same in text. */
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
        Six steps from top to bottom: scope, wait, build, credential, send, answer; then caller and store. An arrow
        leads from the answer back to build, for one more attempt with a fresh credential. Below each step are the
        errors by which a request can end there. When the identity changes, the request ends with an
        IdentityChangedError at any step.
      </desc>
      <defs>
        <marker
          id="request-journey-arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8Z" fill="currentColor" />
        </marker>
      </defs>
      <g stroke="currentColor" strokeWidth={1.5} fill="none" markerEnd="url(#request-journey-arrow)">
        {PLACED.slice(1).map(({ title, y }, index) => (
          <path key={title} d={`M${BOX.x + 14} ${(PLACED[index]?.y ?? 0) + (PLACED[index]?.height ?? 0)} V${y - 1}`} />
        ))}
        <path
          d={`M${BOX.x} ${middleOf(LOOP.from)} H18 a10 10 0 0 1 -10 -10 V${middleOf(LOOP.to) + 10} a10 10 0 0 1 10 -10 H${BOX.x - 1}`}
          strokeDasharray="5 3"
        />
      </g>
      {PLACED.map(({ title, lines, ends = [], y, height }) => (
        <g key={title}>
          <rect
            x={BOX.x}
            y={y}
            width={BOX.width}
            height={height}
            rx={8}
            fill="currentColor"
            fillOpacity={0.06}
            stroke="currentColor"
          />
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
