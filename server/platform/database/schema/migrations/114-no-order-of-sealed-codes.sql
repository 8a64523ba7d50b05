-- Activation codes are stored encrypted and have no order any more: views that had it open in the list's own order.
update saved_view set search = search || '{"sort": null}' where list = 'floto_user' and search ->> 'sort' ~* 'activationCode';
