import { taskType } from '../ids.ts';
import { text } from './text.ts';

/** `contributes.taskDefinitions`. */
export const taskContributions = [
  {
    type: taskType,
    required: ['tool'],
    properties: {
      tool: { type: 'string', description: text('task.tool', 'The name of the tool.') },
      params: {
        type: 'object',
        description: text(
          'task.params',
          'Its parameters; variables of the editor count, as in other tasks. Without them, what the tool needs is asked for.',
        ),
      },
    },
  },
];
