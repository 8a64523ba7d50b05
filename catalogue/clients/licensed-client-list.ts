/** The licensed repository clients: kept by the service itself, published by no vendor. */
import { date, identifier, text } from '../definition/fields.ts';
import { defineList } from '../definition/list-definition.ts';

export const licensedClientList = defineList({
  key: 'floto_user',
  label: 'Licensed clients',
  shortLabel: 'Licensed clients',
  source: null,
  route: 'floto-user',
  searchPath: '/windows/user/search',
  detailPath: '/windows/user/{id}',
  fields: {
    clientName: text('Client'),
    licenseType: text('Licence type'),
    licenseExpiry: date('Licence expires', { dueBy: true }),
    activationCode: identifier('Activation code'),
    repoUpdatedOn: date('Repository updated'),
    latestKbRequestOn: date('Latest KB request'),
    registeredOn: date('Registered'),
    applicationVersion: identifier('Application version'),
  },
  columns: ['clientName', 'licenseType', 'licenseExpiry', 'activationCode', 'repoUpdatedOn', 'registeredOn', 'applicationVersion'],
  searchable: ['clientName', 'licenseType', 'activationCode', 'applicationVersion', 'licenseExpiry', 'repoUpdatedOn', 'registeredOn'],
  identity: ['clientName', 'activationCode'],
  defaultSort: 'clientName',
});
