// The panel about the selection: its causes, value and requests, and the state with the changes of the step.

function counted(count, name) { return count + ' ' + name + (count === 1 ? '' : 's'); }
function cut(text, length) { return text.length > length ? text.slice(0, length - 1) + '…' : text; }

class Details {
  constructor(recording, step, state, select, options) {
    Object.assign(this, { recording, step, state, select, options });
    // Kept from events, since reading it while the step is written would force a new layout.
    const box = step.parentElement;
    this.isScrolled = false;
    box.addEventListener('scroll', () => { this.isScrolled = box.scrollTop > 0; });
  }

  show(selected) {
    this.selected = selected;
    this.step.replaceChildren();
    this.state.replaceChildren();
    if (!selected) {
      this.step.append(element('p', 'hint', 'Nothing is selected.'));
      return;
    }
    if (selected.run) this.showRun(selected.run); else this.showRow(selected.row);
    this.showState(this.rowOf(selected));
    if (this.isScrolled) this.step.parentElement.scrollTop = 0;
  }

  // The row whose state belongs to a selection. For a run, that of the action that asked for its newest value.
  rowOf(selected) {
    if (!selected.run) return selected.row;
    const row = this.recording.rowOfSequence.get(this.recording.valueAt(selected.run).by);
    return row === undefined ? -1 : row;
  }

  section(title, count) {
    const section = element('section');
    const head = element('h3', '', title);
    if (count !== undefined) head.append(element('span', 'count', ' ' + count));
    section.append(head);
    this.step.append(section);
    return section;
  }

  facts(pairs) {
    const list = element('dl');
    for (const [name, value] of pairs) {
      if (value === undefined || value === '') continue;
      list.append(element('dt', '', name));
      const description = element('dd');
      if (value instanceof Node) description.append(value); else description.textContent = value;
      list.append(description);
    }
    return list;
  }

  rowLink(row, text) {
    const { recording } = this;
    const link = element('a', 'to', text || rowTitle(recording, row));
    const isAction = recording.kind.get(row) === ROW.action;
    link.href = isAction ? '#' + recording.sequence.get(row) : '#row' + row;
    return link;
  }
  sequenceLink(sequence) {
    const row = this.recording.rowOfSequence.get(sequence);
    return row === undefined ? 'action ' + sequence + ', which is not in the recording' : this.rowLink(row);
  }
  runLink(run) {
    const link = element('a', 'to run-' + run.ending, run.effect + ' #' + run.generation);
    link.href = '#run' + run.generation;
    return link;
  }
  runLine(run, value, text) {
    const line = element('li');
    line.append(element('span', 'ending ' + run.ending), this.runLink(run), ' ', element('span', 'request', cut(value.request, 160)));
    if (text) line.append(element('span', 'said', ' ' + text));
    return line;
  }

  list(section, items, make, limit = 50) {
    const list = element('ul');
    let count = 0;
    const more = () => {
      for (const end = Math.min(items.length, count + limit); count < end; count++) list.append(make(items[count]));
      if (count < items.length) {
        const button = element('button', 'more', (items.length - count) + ' more');
        button.addEventListener('click', () => { button.parentElement.remove(); more(); });
        const line = element('li');
        line.append(button);
        list.append(line);
      }
    };
    more();
    section.append(list);
  }

  showCauses(row, run) {
    const { recording } = this, links = recording.causes(row, run);
    const section = this.section('Causes');
    const list = element('ol', 'causes');
    for (const link of links) {
      let line = element('li');
      if (link.run) line = this.runLine(link.run, link.value, describeServing(link.run, link.value));
      else {
        line.append(this.rowLink(link.row), element('span', 'said', ' ' + moment(recording.time.get(link.row))));
      }
      list.append(line);
    }
    const last = links[links.length - 1];
    let outside = '';
    if (last.run) {
      const connection = recording.connections.get(last.run.connection);
      const { by, isHanded } = last.value;
      outside = by > 0 ? 'asked for by action ' + by + ', which is not in the recording'
        : isHanded ? 'a value that it got before the recording, or in a gap'
        : 'started when ' + last.run.effect + ' was connected' + (connection ? ', at ' + visible(connection.site) : '');
    } else {
      const site = recording.strings.texts[recording.site.get(last.row)];
      const exact = parseJSON(recording.rowText(last.row)).get('run');
      if (exact instanceof Num) outside = 'sent by run #' + exact.text + ', which is not in the recording';
      else if (recording.kind.get(last.row) <= ROW.refused) outside = 'sent from outside' + (site ? ', at ' + visible(site) : '');
    }
    if (outside) list.append(element('li', 'outside', outside));
    section.append(list);
  }

  showRow(row) {
    const { recording } = this, kind = recording.kind.get(row);
    this.step.append(element('h2', '', rowTitle(recording, row)));
    if (kind === ROW.gap || kind === ROW.note) {
      this.step.append(this.facts([['time', moment(recording.time.get(row))]]));
      if (kind === ROW.gap) this.step.append(element('p', 'hint', 'The program made more events than the recording had room for. A snapshot follows.'));
      else {
        const text = parseJSON(recording.rowText(row)).get('x');
        this.step.append(element('p', 'note', visible(text)));
      }
      return;
    }
    const site = recording.strings.texts[recording.site.get(row)];
    const line = parseJSON(recording.rowText(row));
    this.step.append(this.facts([
      ['time', moment(recording.time.get(row))], ['sent at', visible(site)],
      ['reducer took', line.get('d') instanceof Num ? duration(Number(line.get('d').text) / 1000) : ''],
    ]));
    if (kind !== ROW.action) {
      const run = recording.run.get(row) >= 0 ? recording.runs[recording.run.get(row)] : null;
      this.step.append(element('p', 'hint', kind === ROW.refused ? 'The store had been shut down.'
        : run && run.endedBy >= 0 ? 'Its run had been stopped: ' + describeEnding(run) + '.' : 'Its run had ended, or the part of the state to which it belongs.'));
    }
    this.showCauses(row);
    if (line.get('x') !== '') this.section('Value').append(rootOf(recording.payload(row), undefined, this.options));
    const started = recording.started(row), ended = recording.ended(row);
    if (started.length) this.list(this.section('Requests asked for, started', started.length), started, run => this.runLine(run, run.values[0], describeServing(run, run.values[0])));
    const handed = recording.handed.get(row) || [];
    if (handed.length) {
      this.list(this.section('Values handed over', handed.length), handed, ({ run, value }) => this.runLine(run, value, describeServing(run, value)));
    }
    if (ended.length) {
      this.list(this.section('Requests no more asked for', ended.length), ended, run => this.runLine(run, recording.valueAt(run), run.ending));
    }
    const live = recording.inProgress(row);
    const section = this.section('In progress after it', live.length);
    if (live.length) {
      const time = recording.time.get(row);
      this.list(section, live, run => {
        const wait = run.waits.find(wait => wait.begin <= time && (wait.end < 0 || wait.end > time));
        return this.runLine(run, recording.valueAt(run, row), wait ? 'waits for ' + wait.reason : 'since ' + moment(run.time));
      }, 20);
    }
  }

  showRun(run) {
    const { recording } = this;
    const title = element('h2');
    title.append(element('span', 'ending ' + run.ending), run.effect + ' #' + run.generation);
    this.step.append(title);
    this.step.append(element('p', 'request block', recording.valueAt(run).request));
    const ended = typeof run.endedBy === 'number' && run.endedBy >= 0 ? this.sequenceLink(run.endedBy) : undefined;
    this.step.append(this.facts([
      ['started', (run.isEarlier ? 'before the recording' : moment(run.time))],
      [run.ending === 'answered' ? 'answered by' : 'ended by', ended],
      ['ending', describeEnding(run)],
      ['took', duration((run.end >= 0 ? run.end : recording.end) - run.time)],
      ['body went on', run.end >= 0 && run.over > run.end ? duration(run.over - run.end) : ''],
      ['actions', run.reduced ? run.reduced + ' reduced' : ''],
      ['fenced', run.fenced ? String(run.fenced) : ''],
    ]));
    if (run.values.length > 1) {
      this.list(this.section('Values, the newest first', run.values.length), [...run.values].reverse(), value => {
        const line = element('li');
        line.append(element('span', 'request', cut(value.request, 160)));
        if (value.by > 0) line.append(' ', this.sequenceLink(value.by));
        return line;
      });
    }
    this.showCauses(undefined, run);
    if (run.waits.length) {
      this.list(this.section('Waits', run.waits.length), run.waits, wait => {
        const end = wait.end < 0 ? (run.over >= 0 ? run.over : recording.end) : wait.end;
        return element('li', '', wait.reason + ': ' + duration(end - wait.begin) + ', from ' + moment(wait.begin));
      });
    }
    const sent = recording.sent(run, 5000);
    if (sent.length) {
      this.list(this.section('Sent', sent.length), sent, row => {
        const line = element('li', recording.kind.get(row) === ROW.action ? '' : 'struck');
        line.append(this.rowLink(row), element('span', 'said', ' ' + moment(recording.time.get(row))));
        return line;
      });
    }
  }

  // The state after a step. Without a snapshot there, the state of the snapshot before.
  showState(row) {
    const { recording } = this;
    let at = row;
    while (at >= 0 && recording.kind.get(at) !== ROW.action) at--;
    const sequence = at >= 0 ? recording.sequence.get(at) : 0;
    const index = recording.snapshotIndex(sequence);
    if (index < 0) {
      this.state.append(element('p', 'hint', recording.snapshots.length
        ? 'The first state that is recorded is that after action ' + recording.snapshots[0].sequence + '.'
        : 'The recording has no states.'));
      return;
    }
    const snapshot = recording.snapshots[index], next = recording.snapshots[index + 1];
    const before = index > 0 ? recording.snapshots[index - 1] : null;
    const isExact = snapshot.sequence === sequence;
    const value = recording.state(snapshot);
    const hint = element('p', 'hint');
    this.state.append(hint);
    let shown = value, change, text;
    if (isExact) {
      text = 'After action ' + sequence;
      if (before) {
        change = difference(recording.state(before), value);
        text += before.sequence === sequence - 1 ? change ? ', with what it changed' : ', which changed nothing'
          : change ? ', with what differs from the one after action ' + before.sequence : ', equal to the one after action ' + before.sequence;
        if (change) Object.assign(change, { old: recording.state(before), value });
      }
    } else if (next) {
      shown = recording.state(next);
      change = difference(value, shown);
      if (change) Object.assign(change, { old: value, value: shown });
      text = 'States are recorded now and then: this is the one after action ' + next.sequence
        + (change ? ', with what differs from the one after action ' + snapshot.sequence : ', equal to the one after action ' + snapshot.sequence)
        + '. To see each step, record with snapshotEvery: 1, or fill the recording in a test';
    } else {
      text = 'The last state that is recorded, after action ' + snapshot.sequence + ', ' + counted(sequence - snapshot.sequence, 'action') + ' before this one';
    }
    hint.textContent = text + '.';
    if (change === null) change = undefined;
    if (this.options.onlyChanges && (isExact || next) && !change) {
      this.state.append(element('p', 'hint', 'Nothing differs. Press c for the whole state.'));
      return;
    }
    this.state.append(rootOf(shown, change, this.options));
  }
}
