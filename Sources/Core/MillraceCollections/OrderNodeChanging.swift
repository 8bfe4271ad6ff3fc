// Copying shared nodes, and changing nodes that have one owner.

extension OrderNode {
  /// A copy with room for `capacity` slots, which shares all children.
  func copy(capacity: Int) -> OrderNode {
    let copy = OrderNode.make(level: level, capacity: capacity)
    withUnsafeMutablePointerToElements { slots in
      copy.withUnsafeMutablePointerToElements { copies in
        for index in 0..<slotCount { (copies + index).initialize(to: slots[index]) }
      }
    }
    copy.slotCount = slotCount
    copy.itemCount = itemCount
    return copy
  }

  /// The changeable node that the owner must store in place of this one; `nil` if this one can be changed.
  ///
  /// - Parameters:
  ///   - hasOneOwner: whether the caller has the only reference.
  ///   - isGrowing: whether room for one more slot is needed, unless the node is full.
  func replacement(hasOneOwner: Bool, isGrowing: Bool) -> OrderNode? {
    let isTight = isGrowing && slotCount < Self.maximumSlots && slotCount == slotCapacity
    if hasOneOwner, !isTight { return nil }
    let capacity = isGrowing ? min(Self.maximumSlots, max(4, slotCount + slotCount / 2 + 1)) : slotCount
    guard hasOneOwner else { return copy(capacity: capacity) }
    let replacement = OrderNode.make(level: level, capacity: capacity)
    replacement.takeSlots(from: self, startingAt: 0)
    return replacement
  }

  // MARK: Changing (the node has one owner)

  /// The child at `index`, made changeable.
  func changeableChild(at index: Int, isGrowing: Bool = false) -> OrderNode {
    withUnsafeMutablePointerToElements { slots in
      let hasOneOwner = slots[index].hasOneOwner
      let child = slots[index].child
      guard let replacement = child.replacement(hasOneOwner: hasOneOwner, isGrowing: isGrowing) else {
        return child
      }
      slots[index].object = replacement
      return replacement
    }
  }

  /// The item at `index`, made changeable. For leaves.
  func changeableItem<Element>(at index: Int, of type: Element.Type) -> Item<Element> {
    withUnsafeMutablePointerToElements { slots in
      let hasOneOwner = slots[index].hasOneOwner
      let item = slots[index].item(of: type)
      if hasOneOwner { return item }
      let copy = item.copy()
      slots[index].object = copy
      return copy
    }
  }

  /// Replaces the slot at `index`. The number of items must stay the same.
  func replaceSlot(at index: Int, with slot: OrderSlot) {
    withUnsafeMutablePointerToElements { $0[index] = slot }
  }

  /// Appends a slot. There must be room.
  func append(_ slot: OrderSlot) { insertSlot(slot, at: slotCount) }

  /// Inserts a slot. There must be room.
  private func insertSlot(_ slot: OrderSlot, at index: Int) {
    withUnsafeMutablePointerToElements { slots in
      (slots + index + 1).moveInitialize(from: slots + index, count: slotCount - index)
      (slots + index).initialize(to: slot)
    }
    slotCount += 1
    itemCount += isLeaf ? 1 : slot.tally
  }

  /// Inserts a slot. If the node is full, splits it and returns the new right part.
  ///
  /// - Parameter isLast: whether the node is its parent's last child. Appending then leaves it full.
  func insert(_ slot: OrderSlot, at index: Int, isLast: Bool) -> OrderNode? {
    if slotCount < Self.maximumSlots {
      insertSlot(slot, at: index)
      return nil
    }
    if isLast, index == slotCount {
      let right = OrderNode.make(level: level, capacity: 4)
      right.append(slot)
      return right
    }
    let middle = Self.maximumSlots / 2
    let right = OrderNode.make(level: level, capacity: Self.maximumSlots)
    right.takeSlots(from: self, startingAt: middle)
    if index <= middle {
      insertSlot(slot, at: index)
    } else {
      right.insertSlot(slot, at: index - middle)
    }
    return right
  }

  @discardableResult
  func removeSlot(at index: Int) -> OrderSlot {
    let slot = withUnsafeMutablePointerToElements { slots in
      let slot = (slots + index).move()
      (slots + index).moveInitialize(from: slots + index + 1, count: slotCount - index - 1)
      return slot
    }
    slotCount -= 1
    itemCount -= isLeaf ? 1 : slot.tally
    return slot
  }

  /// Moves the other node's slots from `start` on to the end of this node. There must be room.
  func takeSlots(from other: OrderNode, startingAt start: Int) {
    let count = other.slotCount - start
    let items = withUnsafeMutablePointerToElements { slots in
      let moved = slots + slotCount
      other.withUnsafeMutablePointerToElements { moved.moveInitialize(from: $0 + start, count: count) }
      return isLeaf ? count : (0..<count).reduce(0) { $0 + moved[$1].tally }
    }
    other.slotCount = start
    other.itemCount -= items
    slotCount += count
    itemCount += items
  }

  /// Updates the label and the tally of the slot of a child that has changed.
  func refreshSlot(at index: Int) {
    withUnsafeMutablePointerToElements { slots in
      let child = slots[index].child
      itemCount += child.itemCount - slots[index].tally
      slots[index].tally = child.itemCount
      slots[index].label = child.firstLabel
    }
  }
}
