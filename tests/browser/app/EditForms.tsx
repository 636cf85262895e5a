import { useController, useSuspense } from '@data-client/react';
import { Suspense, useState } from 'react';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ResourceForm, ResourceList, type FormField } from '../../../src/entries/widgets.js';

class Task extends Entity {
  static override key = 'Task';
  id = '';
  title = '';
  status = '';
  priority = '';
}

/** What a test asks for. */
export interface EditFormSetup {
  action: 'push' | 'update' | 'partialUpdate';
  fields?: FormField[];
  /** `live` gives the form what the page reads, as the store has it. */
  initial?: 'live' | object;
  success?: string;
}

const tasksOf = (urlPrefix: string) => hookifyResource(resource({ urlPrefix, path: '/task/:id', schema: Task }));
type Tasks = ReturnType<typeof tasksOf>;

interface TaskFormProps extends EditFormSetup {
  tasks: Tasks;
}

function TaskForm({ tasks, action, fields = [{ name: 'title', label: 'Title' }], initial, success }: TaskFormProps) {
  return (
    <ResourceForm
      resource={tasks}
      action={action}
      params={action === 'push' ? {} : { id: '1' }}
      initial={initial as never}
      fields={fields as never}
      success={success}
    />
  );
}

function LiveForm(props: TaskFormProps) {
  const get = props.tasks.useGet();
  const task = useSuspense(get, { id: '1' });
  const controller = useController();
  return (
    <>
      <p id="now">{`${task.title}, ${task.priority}`}</p>
      <button type="button" onClick={() => void controller.fetch(get, { id: '1' })}>
        Read the task again
      </button>
      <TaskForm {...props} initial={task} />
    </>
  );
}

/** A list of tasks, and a form for the first one that a button opens and closes. */
export function EditForms({ urlPrefix, setup }: { urlPrefix: string; setup: string }) {
  const [tasks] = useState(() => tasksOf(urlPrefix));
  const [isOpen, setOpen] = useState(true);
  const props = { ...(JSON.parse(setup) as EditFormSetup), tasks };
  return (
    <>
      <ResourceList
        resource={tasks}
        label="Tasks"
        renderItem={({ title, status, priority }, { partialUpdate }) => (
          <>
            <span className="task">{`${title}, ${status}, ${priority}`}</span>
            <button type="button" onClick={() => void partialUpdate({ title: `${title}!` })}>
              Shout {title}
            </button>
          </>
        )}
        renderHeader={({ invalidate }) => (
          <button type="button" onClick={() => void invalidate()}>
            Read the list again
          </button>
        )}
      />
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Open or close
      </button>
      <Suspense>{isOpen && (props.initial === 'live' ? <LiveForm {...props} /> : <TaskForm {...props} />)}</Suspense>
    </>
  );
}
