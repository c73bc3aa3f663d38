import { taskType } from '../ids.ts';
import { text } from './text.ts';

/** `contributes.taskDefinitions`. */
export const taskContributions = [
  {
    type: taskType,
    required: ['tool'],
    properties: {
      tool: { type: 'string', description: text('task.tool', 'Name of the tool.') },
      params: {
        type: 'object',
        description: text(
          'task.params',
          'Parameters of the tool. Variables are resolved, as in other tasks. If omitted, Parley asks for the required parameters.',
        ),
      },
    },
  },
];
