// Forms on a real server: what they send when the record changes elsewhere, and what they show after each answer.
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Page } from 'playwright';
import type { EditFormSetup } from './app/EditForms.js';
import type { Answer, Arrived } from './support/apiServer.js';
import { isFirefox } from './support/browserUnderTest.js';
import { eventually, press, says, test as base } from './support/test.js';

type Task = Record<string, unknown>;

/** A server with tasks. `answer` may make of the usual answer another one, or hold it back. */
function taskServer() {
  const server = {
    tasks: [{ id: '1', title: 'Row 1', status: 'open', priority: 'low' }] as Task[],
    sent: [] as string[],
    bodies: [] as string[],
    answer: (usual: Answer, _request: string): Answer | Promise<Answer> => usual,
    handle({ method, path, body: text }: Arrived): Answer | Promise<Answer> {
      const body = text.startsWith('{') ? (JSON.parse(text) as Task) : {};
      server.sent.push(text.startsWith('{') ? `${method} ${path} ${text}` : `${method} ${path}`);
      server.bodies.push(text);
      const task = server.tasks.find(({ id }) => path === `/task/${String(id)}`);
      if (method === 'POST') server.tasks.push({ id: '2', status: 'open', priority: '', ...body });
      if (method === 'PUT' || method === 'PATCH') Object.assign(task ?? {}, body);
      const found = method === 'POST' ? server.tasks.at(-1) : path === '/task' ? server.tasks : task;
      return server.answer({ body: structuredClone(found) }, `${method} ${path}`);
    },
  };
  return server;
}

interface Fixtures {
  tasks: ReturnType<typeof taskServer>;
  openForm: (setup: EditFormSetup) => Promise<Page>;
}

const test = base.extend<Fixtures>({
  tasks: async ({}, give) => give(taskServer()),
  openForm: async ({ tasks, startServer, open }, give) => {
    await give(async setup => {
      const server = await startServer({ caching: 'no-store', otherwise: arrived => tasks.handle(arrived) });
      const page = await open(server, {
        session: 'context',
        subject: 'ada',
        token: server.signIn('ada').accessToken,
        edit: JSON.stringify(setup),
      });
      await page.locator('.task').first().waitFor();
      await page.locator('form').waitFor();
      return page;
    });
  },
});

const title = { name: 'title', label: 'Title' } as const;
const priority = { name: 'priority', label: 'Priority' } as const;
const rows = (page: Page) => page.locator('.task').allTextContents();
const status = (page: Page) => page.locator('form').getByRole('status').textContent();

/** Holds an answer back until the returned function is called. */
function hold(tasks: Fixtures['tasks'], held: string): () => void {
  let release!: () => void;
  const released = new Promise<void>(resolve => (release = resolve));
  tasks.answer = async (usual, request) => {
    if (request === held) await released;
    return usual;
  };
  return release;
}

async function save(page: Page, text: string) {
  await page.getByLabel('Title').fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
}

describe('a record that another user has changed while a form was open', () => {
  test('a PUT with a live `initial` sends the newest fields, and the ones that the user has changed', async ({
    tasks,
    openForm,
  }) => {
    const page = await openForm({ action: 'update', initial: 'live', fields: [title, priority] });
    Object.assign(tasks.tasks[0]!, { priority: 'urgent' });
    await press(page, 'Read the task again');
    await eventually(() => page.locator('#now').textContent(), 'Row 1, urgent');
    expect(await page.getByLabel('Priority').inputValue()).toBe('urgent');
    await save(page, 'Mine');
    await eventually(() => status(page), 'Saved.');
    expect(tasks.tasks[0]).toEqual({ id: '1', title: 'Mine', status: 'open', priority: 'urgent' });
  });

  test('a PUT that read its record sends the newest fields of the store', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'update' });
    Object.assign(tasks.tasks[0]!, { status: 'closed', priority: 'urgent' });
    await press(page, 'Read the list again');
    await eventually(() => rows(page), ['Row 1, closed, urgent']);
    await save(page, 'Mine');
    await eventually(() => status(page), 'Saved.');
    expect(tasks.tasks[0]).toEqual({ id: '1', title: 'Mine', status: 'closed', priority: 'urgent' });
  });

  test('the wheel over a focused number scrolls the page, and leaves the number alone', async ({ tasks, openForm }) => {
    tasks.tasks[0]!.priority = 42;
    const page = await openForm({
      action: 'partialUpdate',
      fields: [{ name: 'priority', label: 'Priority', type: 'number' }],
    });
    await page.evaluate(() => (document.body.style.minHeight = '5000px'));
    const input = page.getByLabel('Priority');
    await input.click();
    for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, 100);
    await eventually(() => page.evaluate(() => window.scrollY > 0), true);
    expect(await input.inputValue()).toBe('42');
    await page.evaluate(() => window.scrollTo(0, 0));
    await input.press('ArrowUp');
    expect(await input.inputValue()).toBe('43');
  });

  test('text that the user has typed stays, and is sent alone', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'partialUpdate', fields: [title, priority] });
    await page.getByLabel('Title').fill('Mine');
    Object.assign(tasks.tasks[0]!, { title: 'Of Grace', priority: 'urgent' });
    await press(page, 'Read the list again');
    await eventually(() => rows(page), ['Of Grace, open, urgent']);
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    expect(await page.getByLabel('Priority').inputValue()).toBe('urgent');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => status(page), 'Saved.');
    expect(tasks.sent.at(-1)).toBe('PATCH /task/1 {"title":"Mine"}');
  });

  test('a form that opens on an expired record waits for the new one', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'update' });
    await press(page, 'Open or close');
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 65_000;
    });
    Object.assign(tasks.tasks[0]!, { title: 'Of Grace', priority: 'urgent' });
    await press(page, 'Open or close');
    await page.locator('form').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Of Grace');
  });
});

describe('a conflict', () => {
  test.for(['update', 'partialUpdate'] as const)(
    '%s: a button loads the record again, and what the user has typed stays',
    async (action, { tasks, openForm }) => {
      const page = await openForm({ action, fields: [title, priority] });
      const [task] = tasks.tasks as [Task];
      Object.assign(task, { priority: 'urgent' });
      tasks.answer = (usual, request) => {
        if (!/^P/.test(request)) return usual;
        Object.assign(task, { title: 'Of Grace', priority: 'urgent' });
        return { status: 412, body: {} };
      };
      await save(page, 'Mine');
      await page.getByRole('alert').getByText('Another user has changed this.').waitFor();
      tasks.answer = usual => usual;
      await page.getByRole('button', { name: 'Load again' }).click();
      await eventually(() => page.getByLabel('Priority').inputValue(), 'urgent');
      expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(() => status(page), 'Saved.');
      expect(task).toEqual({ id: '1', title: 'Mine', status: 'open', priority: 'urgent' });
    },
  );

  test.for(['update', 'partialUpdate'] as const)(
    '%s: the form that is opened after it has the new record',
    async (action, { tasks, openForm }) => {
      const page = await openForm({ action });
      tasks.answer = (usual, request) => (/^P/.test(request) ? { status: 409, body: {} } : usual);
      await save(page, 'Mine');
      await page.getByRole('alert').waitFor();
      Object.assign(tasks.tasks[0]!, { title: 'Of Grace' });
      await press(page, 'Open or close');
      await press(page, 'Open or close');
      await page.locator('form').waitFor();
      expect(await page.getByLabel('Title').inputValue()).toBe('Of Grace');
    },
  );

  test('a name that is taken (409 with a field) has no such button', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'update' });
    tasks.answer = () => ({ status: 409, body: { title: ['Taken.'] } });
    await save(page, 'Mine');
    await page.getByText('Taken.').waitFor();
    expect(await page.getByRole('button', { name: 'Load again' }).count()).toBe(0);
  });
});

describe('a file that the server has refused', () => {
  test('is sent as it is on the disk now, when the user chooses it again', async ({ tasks, openForm, skip }) => {
    skip(isFirefox, 'chooses the file over the DevTools protocol of Chromium');
    const folder = await mkdtemp(join(tmpdir(), 'upload-'));
    const path = join(folder, 'data.csv');
    const page = await openForm({ action: 'push', fields: [{ name: 'file', label: 'File', type: 'file' }] });
    // Playwright's own way fires the event that browsers leave out when the path is the same.
    const client = await page.context().newCDPSession(page);
    const choose = async () => {
      const { root } = await client.send('DOM.getDocument');
      const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector: '[type=file]' });
      await client.send('DOM.setFileInputFiles', { nodeId, files: [path] });
    };
    await writeFile(path, 'wrong');
    await choose();
    tasks.answer = () => ({ status: 422, body: { errors: { file: ['Line 1 is wrong.'] } } });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Line 1 is wrong.').waitFor();
    await writeFile(path, 'right, and longer');
    await utimes(path, 1, 1);
    await choose();
    tasks.answer = () => ({ status: 201, body: { id: '2', title: 'x' } });
    await page.getByRole('button', { name: 'Create' }).click();
    await eventually(() => tasks.sent.filter(request => request.startsWith('POST')).length, 2);
    expect(tasks.bodies.at(-1)).toContain('right, and longer');
    await rm(folder, { recursive: true });
  });
});

describe('text that is typed while the answer is pending', () => {
  test('an edit does not say “Saved.” of it', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'partialUpdate' });
    const answered = hold(tasks, 'PATCH /task/1');
    await save(page, 'First');
    await eventually(() => tasks.sent.at(-1), 'PATCH /task/1 {"title":"First"}');
    await page.getByLabel('Title').fill('Second');
    answered();
    await eventually(() => rows(page), ['First, open, low']);
    await eventually(() => page.locator('form').getAttribute('aria-busy'), 'false');
    expect([await page.getByLabel('Title').inputValue(), await status(page)]).toEqual(['Second', '']);
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => status(page), 'Saved.');
    expect(tasks.sent.at(-1)).toBe('PATCH /task/1 {"title":"Second"}');
  });

  test('a creation sets the other fields back', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'push', fields: [title, priority], success: 'Created.' });
    const answered = hold(tasks, 'POST /task');
    await page.getByLabel('Title').fill('Milk');
    await page.getByLabel('Title').press('Enter');
    await eventually(() => tasks.sent.at(-1), 'POST /task {"title":"Milk","priority":""}');
    await page.getByLabel('Priority').fill('high');
    answered();
    await eventually(() => status(page), 'Created.');
    expect(await page.getByLabel('Title').inputValue()).toBe('');
    expect(await page.getByLabel('Priority').inputValue()).toBe('high');
  });
});

describe('text that no event has told', () => {
  /** As some password managers fill an input. */
  const fillSilently = (page: Page, label: string, value: string) =>
    page.getByRole('textbox', { name: label }).evaluate((input, text) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
    }, value);

  test('is sent by a login form', async ({ startServer, open }) => {
    const server = await startServer();
    const page = await open(server, { session: 'token', form: '' });
    await fillSilently(page, 'User name', 'ada');
    await fillSilently(page, 'Password', 'secret');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await says(page, 'authenticated ada');
    expect(server.requests[0]?.body).toBe('{"username":"ada","password":"secret"}');
  });

  test('an untouched field counts as untouched, also where its input holds the value in another way', async ({
    tasks,
    openForm,
  }) => {
    Object.assign(tasks.tasks[0]!, { title: 'a\r\nb', status: ' ada@example.com ', priority: 'x' });
    const page = await openForm({
      action: 'partialUpdate',
      fields: [{ ...title, type: 'textarea' }, { name: 'status', label: 'Status', type: 'email' }, priority],
    });
    await page.getByLabel('Priority').fill('high');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => status(page), 'Saved.');
    expect(tasks.sent.at(-1)).toBe('PATCH /task/1 {"priority":"high"}');
  });
});

describe('the `step` of a field', () => {
  const number = { name: 'title', label: 'Title', type: 'number' } as const;
  test.for([
    ['2.5 for whole numbers', number, '2.5'],
    ['10:07 for quarters of an hour', { ...title, type: 'time', step: 900 }, '10:07'],
    ['half a minute', { ...title, type: 'datetime-local' }, '2026-11-22T10:00:30'],
  ] as const)('refuses %s', async ([, field, text], { tasks, openForm }) => {
    const page = await openForm({ action: 'push', fields: [field] });
    await page.getByLabel('Title').fill(text);
    await page.getByLabel('Title').blur();
    await page.getByRole('button', { name: 'Create' }).click();
    await eventually(() => page.getByLabel('Title').getAttribute('aria-invalid'), 'true');
    expect(tasks.sent.filter(request => request.startsWith('POST'))).toEqual([]);
  });

  test('lets a record with 9.5 be changed to 10, or be left as it is', async ({ tasks, openForm }) => {
    Object.assign(tasks.tasks[0]!, { title: 9.5 });
    const page = await openForm({ action: 'partialUpdate', fields: [number, priority] });
    await page.getByLabel('Priority').fill('high');
    await page.getByLabel('Priority').press('Enter');
    await eventually(() => status(page), 'Saved.');
    await page.getByLabel('Title').fill('10');
    await page.getByLabel('Title').press('Enter');
    await eventually(() => tasks.sent.at(-1), 'PATCH /task/1 {"title":10}');
  });
});

test('a checkbox of a record with 1 is checked, and a PATCH unsets it', async ({ tasks, openForm }) => {
  Object.assign(tasks.tasks[0]!, { status: 1 });
  const done = { name: 'status', label: 'Done', type: 'checkbox' } as const;
  const page = await openForm({ action: 'partialUpdate', fields: [done] });
  expect(await page.getByLabel('Done').isChecked()).toBe(true);
  await page.getByLabel('Done').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(() => tasks.sent.at(-1), 'PATCH /task/1 {"status":false}');
});

describe('an answer without a record', () => {
  test.for([
    ['204', { status: 204 }],
    ['a message', { body: { message: 'Updated.' } }],
    ['an empty text', { body: undefined }],
  ] as const)('an edit answered by %s: the list has what was sent', async ([, answer], { tasks, openForm }) => {
    for (const action of ['update', 'partialUpdate'] as const) {
      const page = await openForm({ action });
      tasks.answer = (usual, request) => (/^P/.test(request) ? answer : usual);
      await save(page, action);
      await eventually(() => status(page), 'Saved.');
      expect(await rows(page)).toEqual([`${action}, open, low`]);
      await press(page, `Shout ${action}`);
      await eventually(() => rows(page), [`${action}!, open, low`]);
      await press(page, `Shout ${action}!`);
      await eventually(() => tasks.sent.at(-1), `PATCH /task/1 {"title":"${action}!!"}`);
      await page.close();
      tasks.answer = usual => usual;
    }
  });

  test.for([
    ['204', { status: 204 }],
    ['a message', { body: { message: 'Created.' } }],
    ['an empty text', { status: 201, body: undefined }],
    ['its key only', { body: { id: '2' } }],
  ] as const)('a creation answered by %s: the list has the row', async ([name, answer], { tasks, openForm }) => {
    const page = await openForm({ action: 'push', success: 'Created.' });
    tasks.answer = (usual, request) => (request === 'POST /task' ? answer : usual);
    await page.getByLabel('Title').fill('New');
    await page.getByRole('button', { name: 'Create' }).click();
    await eventually(() => status(page), 'Created.');
    const row = name === 'its key only' ? 'New, , ' : 'New, open, ';
    await eventually(() => rows(page), ['Row 1, open, low', row]);
    expect(tasks.sent.filter(request => request.startsWith('POST'))).toHaveLength(1);
  });

  test('a page in place of the answer is an error', async ({ tasks, openForm }) => {
    const page = await openForm({ action: 'partialUpdate' });
    tasks.answer = (usual, request) =>
      /^P/.test(request) ? { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><p>App</p>' } : usual;
    await save(page, 'Mine');
    await page.getByRole('alert').waitFor();
    expect(await status(page)).toBe('');
  });

  test('a redirect, as a captive portal answers every request, keeps the text and asks for no reload', async ({
    tasks,
    openForm,
  }) => {
    const page = await openForm({ action: 'partialUpdate' });
    tasks.answer = () => ({ status: 302, headers: { Location: '/blank' } });
    await save(page, 'Mine');
    await page.getByText('The server sent something that this page cannot show.').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Mine');
    tasks.answer = usual => usual;
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => rows(page), ['Mine, open, low']);
  });

  test.for(['partialUpdate', 'push'] as const)(
    '%s: an answer that breaks off is a lost connection, and the text stays',
    async (action, { tasks, openForm }) => {
      const page = await openForm({ action });
      tasks.answer = (usual, request) => (request.startsWith('GET') ? usual : { isCut: true });
      await page.getByLabel('Title').fill('Milk');
      await page.getByLabel('Title').press('Enter');
      await page.getByText('The server could not be reached. Check the connection.').waitFor();
      expect(await page.getByLabel('Title').inputValue()).toBe('Milk');
    },
  );
});

describe('a field whose name', () => {
  test.for(['children', 'elements', 'contains'])(
    'is that of a property of the form: %s',
    async (name, { tasks, openForm }) => {
      Object.assign(tasks.tasks[0]!, { [name]: '7' });
      const page = await openForm({ action: 'partialUpdate', fields: [title, { name, label: 'Another' }] });
      await page.getByLabel('Title').fill('Mine');
      await page.getByLabel('Another').fill('8');
      await page.getByRole('button', { name: 'Save' }).click();
      await eventually(() => status(page), 'Saved.');
      expect(tasks.sent.at(-1)).toBe(`PATCH /task/1 {"title":"Mine","${name}":"8"}`);
    },
  );

  test('every object has keeps its value when another field is saved', async ({ tasks, openForm }) => {
    const [task] = tasks.tasks as [Task];
    Object.assign(task, { constructor: 'Ferrari' });
    const page = await openForm({ action: 'update', fields: [title, { name: 'constructor', label: 'Constructor' }] });
    for (const text of ['Mine', 'Mine too']) {
      await save(page, text);
      await eventually(() => task.title, text);
      await eventually(() => status(page), 'Saved.');
      expect(await page.getByLabel('Constructor').inputValue()).toBe('Ferrari');
      expect(JSON.parse(tasks.bodies.at(-1)!)).toMatchObject({ constructor: 'Ferrari' });
    }
  });
});

test('a password is in no attribute of the page, and stays in its input after a refusal', async ({
  tasks,
  openForm,
}) => {
  const fields = [title, { name: 'password', label: 'Password', type: 'password' } as const];
  const page = await openForm({ action: 'push', fields });
  const input = page.getByRole('textbox', { name: 'Password' });
  tasks.answer = (usual, request) => (request === 'POST /task' ? { status: 422, body: {} } : usual);
  await page.getByLabel('Title').fill('A task');
  await input.pressSequentially('secret');
  expect(await page.content()).not.toContain('secret');
  await press(page, 'Show password');
  expect(await page.content()).not.toContain('secret');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').waitFor();
  expect(await input.inputValue()).toBe('secret');
  expect(await page.content()).not.toContain('secret');
  tasks.answer = usual => usual;
  await page.getByRole('button', { name: 'Create' }).click();
  await eventually(() => input.inputValue(), '');
  expect(tasks.bodies.at(-1)).toBe('{"title":"A task","password":"secret"}');
});
